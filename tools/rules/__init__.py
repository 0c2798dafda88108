"""What the tools around spec/ share: rules, sources, reports and the snapshot that joins them."""
