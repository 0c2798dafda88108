"""Gateways that are broken on purpose, each with the checks that must notice it."""
