# The program, its tests and its measures. `make demo` and `make test` work on a fresh
# Debian 12 or Ubuntu 24.04: they install what is missing, say what they do, and do it.

PACKAGES := g++ cmake ninja-build pkg-config libz3-dev libboost-dev libfmt-dev libcli11-dev \
            nlohmann-json3-dev libtomlplusplus-dev libmpfr-dev doctest-dev graphviz
BENCH_PACKAGES := libbenchmark-dev
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
JOBS ?= $(shell nproc)

.PHONY: all setup demo test bench asan install format clean
.DEFAULT_GOAL := all

all: ## build/ptxmc, the release program
	@cmake --preset release > build.log 2>&1 || (cat build.log; rm -f build.log; exit 1)
	@rm -f build.log
	@echo "building build/ptxmc"
	@cmake --build --preset release --target ptxmc -j $(JOBS)
	@ln -sf release/ptxmc build/ptxmc

setup:
	@missing=; for p in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing"; \
	  $(SUDO) apt-get update -qq && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing > /dev/null; \
	fi

test: setup ## every test
	@echo "configuring and building the tests"
	@cmake --preset ci > /dev/null
	@cmake --build --preset ci -j $(JOBS)
	ctest --preset ci -j $(JOBS)

asan: setup ## every test under address and undefined-behaviour sanitizers
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

install: all
	@cmake --install build/release

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

clean:
	rm -rf build
