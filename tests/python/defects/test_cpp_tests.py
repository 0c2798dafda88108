"""Checks read from GoogleTest's XML."""

from __future__ import annotations

from pathlib import Path

from conformance.defects.cpp_tests import executable_of, read_results
from conformance.defects.runner import split

XML = """<?xml version="1.0"?>
<testsuites>
  <testsuite name="letters">
    <testcase name="come_in_order" file="/tree/tests/cpp/codec/letters_test.cpp" classname="letters">
      <properties><property name="rules" value="A-B-001 A-B-002"/></properties>
      <failure message="Expected equality"/>
    </testcase>
    <testcase name="are_few" file="../tree/tests/cpp/codec/letters_test.cpp" classname="letters">
      <properties><property name="rules" value="A-B-003"/></properties>
    </testcase>
    <testcase name="prove_nothing" file="/tree/tests/cpp/codec/letters_test.cpp" classname="letters"/>
  </testsuite>
</testsuites>
"""


def test_each_recorded_rule_is_a_check() -> None:
    rows = read_results(XML, Path("/tree"), Path("/build"))
    file = "tests/cpp/codec/letters_test.cpp"
    assert [(row["rule"], row["scenario"], row["outcome"], row.get("message")) for row in rows] == [
        ("A-B-001", f"{file}::letters.come_in_order", "failed", "Expected equality"),
        ("A-B-002", f"{file}::letters.come_in_order", "failed", "Expected equality"),
        ("A-B-003", f"{file}::letters.are_few", "passed", None),
    ]


def test_tests_are_told_apart_by_where_they_lie() -> None:
    names = ["tests/python/test_a.py::test_a", "tests/cpp/codec/a_test.cpp", "keys/test_keys.py::test_a"]
    in_cpp, in_python, on_server = split(names)
    assert (in_cpp, in_python, on_server) == (names[1:2], names[:1], names[2:])
    assert executable_of(in_cpp[0]) == "test_codec"
