# The program, its tests and its measures. `make demo` and `make test` work on a fresh
# Debian 12 or Ubuntu 24.04: they install what is missing, say what they do, and do it.

PACKAGES := g++ cmake ninja-build pkg-config libz3-dev libboost-dev libfmt-dev libcli11-dev \
            nlohmann-json3-dev libtomlplusplus-dev libmpfr-dev doctest-dev graphviz
FUZZ_PACKAGES := clang libclang-rt-dev
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
JOBS ?= $(shell nproc)
WARNINGS_AS_ERRORS ?= OFF
PTXAS ?= ptxas
NVCC ?= nvcc
MUTANT_MODELS ?= ptx-6.4 ptx-7.5 ptx-8.7 mixed-size
DEMO_TEST := litmus/manual/manual-SB-acq_rel.litmus
SECONDS ?= 600
TARGETS ?=
KERNELS ?= ../shared/kernels
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3

.PHONY: all setup campaign compiled-campaign kernel-campaign rules demo test coverage kernels model-lines fenced-kernels spellings programs bench asan tsan clang sanitized fuzz mutants slurm-test deb install library install-library library-test python python-test notebook format clean
.DEFAULT_GOAL := all

all: ## build/ptxmc, the release program
	@echo "building build/ptxmc"
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
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

demo: setup all ## the bundled library checked, and one execution drawn
	@echo "build/ptxmc litmus litmus/"
	@build/ptxmc litmus litmus/
	@echo "build/ptxmc litmus $(DEMO_TEST) --witness build/demo.svg"
	@build/ptxmc litmus $(DEMO_TEST) --witness build/demo.svg
	@echo "an execution is drawn in build/demo.svg"

test: setup ## every test
	@echo "configuring and building the tests"
	@cmake --preset ci -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset ci -j $(JOBS)
	ctest --preset ci -j $(JOBS)

coverage: all ## docs/coverage.md, generated from the instruction table
	build/ptxmc isa --markdown > docs/coverage.md

kernels: all ## docs/kernels.md, what check says of the launches of KERNELS
	@{ echo "# Launches of real kernels"; echo; \
	  echo "What \`ptxmc check\` says of each launch of a folder of kernels that nvcc compiled (\`make kernels\`, one job)."; \
	  echo; build/ptxmc check --markdown --jobs 1 --timeout 60 $(KERNELS)/*.toml 2> /dev/null || test $$? = 3; } > docs/kernels.md

LINE_EDGES := Pod**, Pos**, Rfe, Rfi, Fre, Coe, Coi, Rmw, DpDatadW, fence.sc.gpu.d**, fence.acq_rel.gpu.d**

model-lines: all ## docs/model-lines.md, the smallest test for each line of ptx-8.7 that is taken out
	@{ echo "# The smallest test for each line of ptx-8.7"; echo; \
	  echo "What \`ptxmc distinguish --without-each-line\` says of the model ([generating-tests.md](generating-tests.md);"; \
	  echo "\`make model-lines\`). A line is an axiom, a definition, or a part of a definition over several lines."; \
	  echo; echo "## Among generated tests"; echo; \
	  build/ptxmc distinguish ptx-8.7 --without-each-line --markdown --edges '$(LINE_EDGES)' \
	    --accesses 'weak, relaxed.gpu, acquire.gpu, release.gpu' --size 6 --timeout 420 || test $$? -eq 1; \
	  echo; echo "## Among the tests of \`litmus/\`"; echo; \
	  build/ptxmc distinguish ptx-8.7 --without-each-line --markdown --tests litmus --timeout 1800 || test $$? -eq 1; \
	  } > docs/model-lines.md

FENCED := lock spinlock sm100lock peterson dining ticket rwlock queue ring mailbox grid meeting_ last total rounds announce seqlock deque dekker backoff mp

fenced-kernels: all ## docs/fenced-kernels.md, what fences says of locks, queues and reductions of tests/kernels and KERNELS
	@{ echo "# Fences of real kernels"; echo; \
	  echo "What \`ptxmc fences\` says of locks, queues, grid barriers and reductions (\`make fenced-kernels\`, one job, at most"; \
	  echo "60 s each): how many annotations are needed, wasted, or needed by some minimal assignments, and what the cheapest"; \
	  echo "assignment saves or, of a program that loses its property, costs ([fences.md](fences.md)). \`tried\`: of the programs that"; \
	  echo "\`--try said\` decides, with minimal assignments and with weaker ones, those of which the answer is right."; \
	  for folder in tests/kernels $(KERNELS); do echo; echo "## \`$$(basename $$(dirname $$folder))/$$(basename $$folder)\`"; echo; \
	  build/ptxmc fences --markdown --try said --jobs 1 --timeout 60 \
	    $$(for kind in $(FENCED); do ls $$folder/$${kind}*.toml; done 2> /dev/null | sort -u) 2> /dev/null || test $$? -le 3; \
	  done; } > docs/fenced-kernels.md

spellings: setup ## what NVIDIA's assembler says about every spelling of the catalogue; wants PTXAS
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target compare_with_ptxas -j $(JOBS)
	build/release/tests/spellings/compare_with_ptxas $(PTXAS) 250 > build/spellings.txt
	@grep -E '^(==|[0-9]|only)' build/spellings.txt
	@echo "every disagreement: build/spellings.txt"

programs: all ## CUDA programs compiled for several architectures and read; wants NVCC
	tests/cuda_programs/check.sh build/ptxmc $(NVCC)

asan: setup ## every test under address and undefined-behaviour sanitizers
	@echo "configuring and building the tests with sanitizers"
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

mutants: setup ## is every line of MUTANT_MODELS (ptx-8.7, or lines: ptx-8.7:100-120) needed by a test of the library?
	@echo "building the search for lines of a model that no test needs"
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target mutants -j $(JOBS)
	build/release/tests/mutants/mutants $(MUTANT_MODELS)

bench: setup all ## time and memory of whole runs
	@cmake --preset release -DPTXMC_BENCH=ON > /dev/null
	@cmake --build --preset release --target bench -j $(JOBS)
	build/release/bench/bench build/ptxmc build/bench.json
	@echo "the same as JSON: build/bench.json"

deb: PACKAGES += dpkg-dev python3
deb: setup all ## a Debian package in build/, with manual pages and shell completion
	@tools/make-deb build/release build

slurm-test: PACKAGES += munge slurmctld slurmd slurm-client
slurm-test: setup all ## a campaign as a Slurm job array on this machine; wants root
	contrib/slurm/test.sh build/ptxmc

fuzz clang sanitized: PACKAGES += $(FUZZ_PACKAGES)
fuzz: setup ## every reader of input against random bytes, each SECONDS long, under sanitizers; TARGETS: these
	@echo "building the fuzz targets"
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz --target fuzzers -j $(JOBS)
	fuzz/run.sh build/fuzz/fuzz $(SECONDS) $(TARGETS)

clang: setup ## everything compiled by clang, without a warning
	@cmake --preset clang > /dev/null
	@cmake --build --preset clang -j $(JOBS)

CORE_TESTS := semantics|model|solver|solver-engines|library-ptx-8.7|kernels-sample|kernel-campaign-sample
sanitized: setup ## everything compiled by clang with sanitizers, without a warning, and the tests of the core
	@echo "building everything with clang and sanitizers"
	@cmake --preset sanitized -DPTXMC_WARNINGS_AS_ERRORS=ON > /dev/null
	@cmake --build --preset sanitized -j $(JOBS)
	ctest --preset sanitized -j $(JOBS) -R '^($(CORE_TESTS))$$'

# The libraries are not instrumented; the explorer uses none of them.
TSAN_TESTS := litmus/algorithms litmus/manual
tsan: setup ## the explorer with several jobs, and several threads that use the library, under ThreadSanitizer
	@echo "building with ThreadSanitizer"
	@cmake --preset tsan > /dev/null
	@cmake --build --preset tsan --target ptxmc test_jobs -j $(JOBS)
	TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/test_jobs
	for property in condition race termination; do \
	  TSAN_OPTIONS=halt_on_error=1 build/tsan/ptxmc litmus --engine explorer --jobs 4 --no-states \
	    --property $$property $(TSAN_TESTS) || exit 1; done

N ?= 20000
FIRST ?= 1
campaign: setup ## N random tests, from seed FIRST, on which the two engines must agree
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target campaign -j $(JOBS)
	build/release/tests/campaign/campaign $(N) $(FIRST)

MAPPING ?= asplos-2019
compiled-campaign: setup ## N random tests of C++, from seed FIRST, that what MAPPING makes of them must refine
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target compiled_campaign -j $(JOBS)
	build/release/tests/campaign/compiled_campaign $(N) $(FIRST) $(MAPPING)

FAMILY ?= meetings
kernel-campaign: setup ## N random kernels of FAMILY, from seed FIRST, of which run and check must say the same
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target kernel_campaign -j $(JOBS)
	build/release/tests/kernel_campaign/kernel_campaign $(N) $(FIRST) $(FAMILY)

SPELLINGS ?= 100000
rules: setup ## every spelling that computes: Z3 says of its term what the rule computes; SPELLINGS of a syntax line
	@cmake --preset release -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) > /dev/null
	@cmake --build --preset release --target compare_with_z3 -j $(JOBS)
	build/release/tests/rules/compare_with_z3 $(SPELLINGS)

install: all
	@cmake --install build/release

BUILD_LIBRARY = echo "building build/library" && \
  cmake --preset library -DPTXMC_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) $(WITH_PYTHON) > /dev/null && \
  cmake --build --preset library -j $(JOBS)
library: setup ## build/library: the shared library, and the program
	@$(BUILD_LIBRARY)

install-library: library ## the library and the program, in PREFIX
	@cmake --install build/library --prefix $(PREFIX)

python python-test library-test notebook: PACKAGES += pybind11-dev python3-dev
python python-test library-test notebook: WITH_PYTHON = -DPTXMC_PYTHON=ON -DPython3_EXECUTABLE=$(PYTHON)
python: setup ## the library, the program and the Python module, in PREFIX
	@$(BUILD_LIBRARY)
	@cmake --install build/library --prefix $(PREFIX)

python-test: PACKAGES += python3-pytest
python-test: setup ## the tests of the Python module
	@$(BUILD_LIBRARY)
	PYTHONPATH=build/library/python $(PYTHON) -B -m pytest -q -p no:cacheprovider tests/python

library-test: setup ## programs built with the installed library: found by CMake, by pkg-config, and Python
	@$(BUILD_LIBRARY)
	@rm -rf build/prefix
	@cmake --install build/library --prefix build/prefix > /dev/null
	PYTHON=$(PYTHON) tests/consumer/check.sh build/prefix

notebook: PACKAGES += jupyter-nbconvert python3-ipykernel
notebook: setup ## executes docs/ptxmc.ipynb
	@$(BUILD_LIBRARY)
	PYTHONPATH=$(CURDIR)/build/library/python $(PYTHON) -m jupyter nbconvert --to notebook --execute --inplace --ClearMetadataPreprocessor.enabled=True \
	  --ClearMetadataPreprocessor.preserve_nb_metadata_mask kernelspec docs/ptxmc.ipynb

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

clean:
	rm -rf build
