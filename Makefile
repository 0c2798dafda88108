# Thin: each target is what one would type. Everything Python runs in .venv, which tools/bootstrap makes.
.DEFAULT_GOAL := help
.PHONY: help bootstrap build demo test bench bench-build bench-counts bench-decision cpp-tests python-tests lint rules proven update-proven fmt tidy defects fuzz fuzz-defects soak wheel clean

PYTHON := .venv/bin/python
CPP_SOURCES = $(shell git ls-files -co --exclude-standard -- 'cpp/*.[ch]pp' 'tests/cpp/*.[ch]pp' 'tests/bench/*.[ch]pp' 'tests/fuzz/*.[ch]pp' 'fake_upstreams/*.[ch]pp')
# What `make tidy` looks at: the sources that differ from BASE.
BASE ?= HEAD
CHANGED_SOURCES = $(shell git diff --name-only --diff-filter=d $(BASE) -- 'cpp/*.cpp'; git ls-files -o --exclude-standard -- 'cpp/*.cpp')

help:
	@echo 'make demo      builds the gateway and shows it answering while an upstream fails'
	@echo 'make test      builds, then C++ tests, Python tests, scenarios, lint, rules'
	@echo 'make build     the dev build alone     make lint  formatting, types, layers     make fmt  formats'
	@echo 'make defects   breaks the gateway on purpose and demands that its scenarios notice'
	@echo 'make tidy      clang-tidy on the C++ sources that differ from BASE (default HEAD)'
	@echo 'make rules     the files of spec/ alone    make update-proven  takes over what the last make test proved'
	@echo 'make bench     speed and memory against nginx and HAProxy, in 24 quiet minutes; tests/bench/README.md'
	@echo 'make bench-build   how long a clean release build takes'
	@echo 'make bench-counts  instructions, allocations and system calls per request, against tests/bench/counts.json'
	@echo 'make bench-decision  nanoseconds and allocations per routing decision; fails if one allocates'
	@echo 'make fuzz SECONDS=60  libFuzzer targets, each so long; make fuzz-defects  breaks what they test'
	@echo 'make soak      100,000 requests with every fault leave nothing behind; 9,000 idle streams at once are held'
	@echo 'make wheel     the Python package, into dist/'

bootstrap:
	@tools/bootstrap

build: bootstrap
	cmake --preset dev
	cmake --build --preset dev

demo: bootstrap
	cmake --preset release
	cmake --build --preset release --target turnout
	$(PYTHON) tools/demo.py

test: cpp-tests python-tests lint proven

cpp-tests: build
	rm -rf build/dev/gtest
	ctest --preset dev

python-tests: build
	$(PYTHON) -m pytest -n 2 --dist worksteal tests/python tests/model conformance --turnout-report=report.json

lint: bootstrap
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/clang-format --dry-run --Werror $(CPP_SOURCES)
	$(PYTHON) tools/check_layers.py

# The files of spec/ alone, in seconds.
rules: bootstrap
	$(PYTHON) tools/check_rules.py

# What this very run proved must be what spec/coverage.json says.
proven: cpp-tests python-tests
	$(PYTHON) tools/check_rules.py --report report.json --unit build/dev/gtest

# Takes over what the last run of `make test` proved; the diff of spec/coverage.json is for review.
update-proven: bootstrap
	$(PYTHON) tools/check_rules.py --update --report report.json --unit build/dev/gtest

fmt: bootstrap
	$(PYTHON) -m ruff check --fix-only --quiet .
	$(PYTHON) -m ruff format .
	.venv/bin/clang-format -i $(CPP_SOURCES)

tidy: build
	$(if $(strip $(CHANGED_SOURCES)),clang-tidy --quiet -p build/dev $(CHANGED_SOURCES),@echo 'tidy: no C++ source differs from $(BASE)')

defects: build
	$(PYTHON) -m conformance.defects

# BENCH='--rows json64,latency --json FILE' measures some rows; BENCH=--help says what else there is, and needs no build.
bench: bootstrap
ifeq ($(filter -h --help,$(BENCH)),)
	@tools/bootstrap --bench
	cmake --preset release -DTURNOUT_BENCHMARKS=ON
	cmake --build --preset release --target turnout fast_upstream fast_streams fast_latency
endif
	$(PYTHON) -m tests.bench $(BENCH)

bench-build: bootstrap
	$(PYTHON) -m tests.bench.build_time

# Needs valgrind and strace.
bench-counts: bootstrap
	cmake --preset release
	cmake --build --preset release --target turnout
	$(PYTHON) -m tests.bench.counts

bench-decision: bootstrap
	cmake --preset release -DTURNOUT_BENCHMARKS=ON
	cmake --build --preset release --target bench_decision
	build/release/tests/bench/bench_decision

# Each target (of TARGETS, or all) runs that long, from its corpus in tests/fuzz/corpus.
SECONDS ?= 60
TARGETS ?=
fuzz: bootstrap
	cmake --preset fuzz
	cmake --build --preset fuzz
	$(PYTHON) -m tests.fuzz --seconds $(SECONDS) $(addprefix --only ,$(TARGETS))

fuzz-defects: bootstrap
	$(PYTHON) -m tests.fuzz.defects

# On the server that users run.
soak: bootstrap
	cmake --preset release
	cmake --build --preset release --target turnout
	$(PYTHON) -m tests.soak
	$(PYTHON) -m tests.soak.streams

wheel: bootstrap
	$(PYTHON) -m build --wheel --no-isolation --outdir dist

clean:
	rm -rf build dist report.json
