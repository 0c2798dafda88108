"""Each kind of offence against the layer table is found, and at its place."""

from pathlib import Path

import pytest

from tools.check_layers import LAYERS, Offence, check_tree, code_only, family_of, main

REPOSITORY = Path(__file__).resolve().parents[3]


def offences_of(root: Path, path: str, text: str) -> list[Offence]:
    """Writes one source below a fresh cpp/ and checks the tree."""
    file = root / "cpp" / path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    offences, files = check_tree(root)
    assert files == (1 if file.parts[-2] in LAYERS else 0)
    return offences


def test_this_checkout_keeps_to_its_layers() -> None:
    offences, files = check_tree(REPOSITORY)
    assert offences == []
    assert files > 0


@pytest.mark.parametrize(
    ("path", "line", "said"),
    [
        ("base/a.hpp", '#include "routing/a.hpp"', "base may not include routing"),
        ("routing/a.cpp", '#include "net/loop.hpp"', "of ours it may include base"),
        ("routing/a.cpp", '  #  include "codec/sse.hpp"', "routing may not include codec"),
        ("net/a.cpp", '#include "gateway/driver.hpp"', "net may not include gateway"),
        ("gateway/a.cpp", '#include "server/options.hpp"', "gateway may not include server"),
        ("codec/a.cpp", '#include "sse.hpp"', "is not written from cpp/"),
        ("codec/a.cpp", '#include "../base/time.hpp"', "is not written from cpp/"),
    ],
)
def test_a_module_includes_only_ours_that_its_layer_may(tmp_path: Path, path: str, line: str, said: str) -> None:
    (offence,) = offences_of(tmp_path, path, f"#pragma once\n{line}\n")
    assert (offence.path, offence.line) == (f"cpp/{path}", 2)
    assert said in offence.text


@pytest.mark.parametrize(
    ("path", "line", "said"),
    [
        ("routing/a.cpp", "#include <boost/system/error_code.hpp>", "routing may not include boost"),
        ("codec/a.cpp", "#include <boost/asio/buffer.hpp>", "codec may not include asio"),
        ("config/a.cpp", "#include <boost/asio.hpp>", "config may not include asio"),
        ("codec/a.cpp", "#include <sys/socket.h>", "codec may not include system"),
        ("net/a.cpp", "#include <nlohmann/json.hpp>", "net may not include nlohmann"),
        ("gateway/a.cpp", "#include <CLI/CLI.hpp>", "gateway may not include cli11"),
        ("server/a.cpp", "#include <pybind11/pybind11.h>", "server may not include pybind11"),
        ("net/a.cpp", "#include <leftpad/leftpad.h>", "is in no family"),
        ("net/a.cpp", "#include <base/time.hpp>", "is in no family"),
    ],
)
def test_a_module_includes_only_others_that_its_layer_may(tmp_path: Path, path: str, line: str, said: str) -> None:
    (offence,) = offences_of(tmp_path, path, f"{line}\n")
    assert offence.line == 1
    assert said in offence.text


def test_nlohmann_stays_out_of_headers_of_pure_modules(tmp_path: Path) -> None:
    (offence,) = offences_of(tmp_path, "codec/a.hpp", "#include <nlohmann/json.hpp>\n")
    assert offence.text == "a header of codec may not include nlohmann (<nlohmann/json.hpp>): include it in the source"


@pytest.mark.parametrize("path", ["codec/a.cpp", "config/a.hpp"])
def test_nlohmann_is_welcome_elsewhere(tmp_path: Path, path: str) -> None:
    assert offences_of(tmp_path, path, "#include <nlohmann/json.hpp>\n") == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("#include <random>", "randomness (<random>)"),
        ("#include <mutex>", "threads (<mutex>)"),
        ("#include <iostream>", "output (<iostream>)"),
        ("#include <fstream>", "files (<fstream>)"),
        ("auto t = std::chrono::steady_clock::now();", "a clock (`steady_clock::now`)"),
        ("auto t = std::time(nullptr);", "a clock"),
        ("auto t = time(nullptr);", "a clock"),
        ("std::random_device device;", "randomness"),
        ("int r = rand();", "randomness"),
        ("auto v = std::getenv(name);", "the environment (`getenv`)"),
        ("std::thread t(run);", "threads (`std::thread`)"),
        ("std::this_thread::yield();", "threads"),
        ("std::printf(format);", "output (`printf(`)"),
        ("std::cerr << reason;", "output (`std::cerr`)"),
        ("auto* f = fopen(path, mode);", "files"),
    ],
)
@pytest.mark.parametrize("module", ["base", "routing", "policy", "codec"])
def test_pure_modules_touch_nothing_outside(tmp_path: Path, module: str, line: str, said: str) -> None:
    (offence,) = offences_of(tmp_path, f"{module}/a.cpp", f"\n{line}\n")
    assert offence.line == 2
    assert offence.text.startswith(f"{module} is pure and may not use ")
    assert said in offence.text


@pytest.mark.parametrize("module", ["net", "gateway", "server"])
def test_other_modules_may(tmp_path: Path, module: str) -> None:
    assert (
        offences_of(tmp_path, f"{module}/a.cpp", "#include <mutex>\nauto t = std::chrono::steady_clock::now();\n") == []
    )


@pytest.mark.parametrize(
    "text",
    [
        "// std::chrono::steady_clock::now() is the shell's business\n",
        "/* getenv(\n   rand() */\n",
        'const char* text = "std::cout << \\"rand()\\"";\n',
        'const char* text = R"x(std::cerr "rand()")x";\n',
        "int retry_time(int now); int n = x.time(now) + 1'000'000; // getenv\n",
        "std::snprintf(buffer, size, format);\n",
    ],
)
def test_words_in_comments_literals_and_longer_names_are_no_offence(tmp_path: Path, text: str) -> None:
    assert offences_of(tmp_path, "routing/a.cpp", text) == []


def test_lines_stay_where_they_were_when_noise_is_removed() -> None:
    assert code_only("a /* 1\n2 */ b\n'\"' c // d\ne") == "a \n b\n  c  \ne"


def test_a_folder_that_the_table_does_not_know_is_an_offence(tmp_path: Path) -> None:
    (offence,) = offences_of(tmp_path, "misc/a.cpp", "")
    assert str(offence) == "cpp/misc: is not in the table of tools/check_layers.py"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("turnout_module(routing LINK turnout::base turnout::net)", "routing may not link to net"),
        ("turnout_module(misc LINK turnout::base)", "module misc is not in the table"),
    ],
)
def test_a_module_links_only_to_those_that_it_may_include(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "cpp").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(f"project(turnout)\n{line}\n", encoding="utf-8")
    (offence,) = check_tree(tmp_path)[0]
    assert (offence.path, offence.line) == ("CMakeLists.txt", 2)
    assert said in offence.text


def test_no_layer_includes_one_that_includes_it() -> None:
    assert [(a, b) for a in LAYERS for b in LAYERS[a].ours if a in LAYERS[b].ours] == []
    assert all(layer.ours <= set(LAYERS) for layer in LAYERS.values())


@pytest.mark.parametrize(
    ("header", "family"),
    [
        ("boost/asio/ip/tcp.hpp", "asio"),
        ("boost/smart_ptr/intrusive_ptr.hpp", "boost"),
        ("string_view", "std"),
        ("emmintrin.h", "intrinsics"),
        ("netinet/tcp.h", "system"),
        ("arpa/inet.h", "addresses"),
        ("string.h", None),
    ],
)
def test_every_angle_include_has_one_family(header: str, family: str | None) -> None:
    assert family_of(header) == family


def test_the_command_prints_place_and_reason_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offences_of(tmp_path, "base/a.hpp", "#include <thread>\n")
    assert main(["--root", str(tmp_path)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "cpp/base/a.hpp:1: base is pure and may not use threads (<thread>)",
        "check_layers: 1 offences in 1 files",
    ]


def test_the_command_says_what_it_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offences_of(tmp_path, "base/a.hpp", "#include <string>\n")
    assert main(["--root", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "check_layers: 1 files keep to their layers\n"
