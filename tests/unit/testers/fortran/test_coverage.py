"""Lines of templates, which have instances."""

from __future__ import annotations

from transpile.testers.fortran.coverage import _rows


def line(number: int, function: str, count: int, *branches: int) -> dict[str, object]:
    return {
        "line_number": number,
        "function_name": function,
        "count": count,
        "branches": [{"count": item} for item in branches],
    }


def test_instances_of_a_template_are_one_function() -> None:
    functions = [
        {
            "name": "a",
            "demangled_name": "double m::f<P<int> >(P<int>&&, double)",
            "start_line": 1,
            "end_line": 4,
        },
        {
            "name": "b",
            "demangled_name": "double m::f<P<int>&>(P<int>&, double)",
            "start_line": 1,
            "end_line": 4,
        },
        {"name": "c", "demangled_name": "m::other(int)", "start_line": 9, "end_line": 9},
    ]
    lines = [line(2, "a", 3, 3, 0), line(2, "b", 0, 0, 1), line(3, "a", 0), line(9, "c", 1)]
    rows = list(_rows({"files": [{"functions": functions, "lines": lines}]}, ["m::f"]))
    assert [(row["line_number"], row["count"]) for row in rows] == [(2, 3), (3, 0)]
    assert [item["count"] for item in rows[0]["branches"]] == [3, 1]


def test_functions_that_return_texts_are_found_by_their_names() -> None:
    functions = [
        {
            "name": "a",
            "demangled_name": "m::f[abi:cxx11](std::basic_string_view<char, std::char_traits<char> >)",
            "start_line": 1,
            "end_line": 4,
        }
    ]
    rows = list(_rows({"files": [{"functions": functions, "lines": [line(2, "a", 3)]}]}, ["m::f"]))
    assert [(row["line_number"], row["count"]) for row in rows] == [(2, 3)]
