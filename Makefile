# SPDX-License-Identifier: MIT
#
# The verbs; what they do is in CMakePresets.json and tool/.
#
#   make          build for use (build/release)
#   make demo     run the main job on this repository
#   make check    build and pass every test; ends in their count
#   make test     the quick part of it: the dev build and its quick tests
#   make prove    the scheduler's laws, by Frama-C (proof/README.md)
#   make sim      every sequence of events, further than the tests go
#   make mutate   would the tests of a room notice a change? ROOM=src/sched
#   make bench    ours and the peers, side by side
#   make search-bench  how well questions find tools, beside other rankings
#   make value    what it saves a model's context: doc/value.md
#   make fmt      lay out the C files
#   make lint     what clang-tidy and cppcheck find (./setup extra)
#   make cover    which lines the tests reach       (./setup extra)
#   make off      every test where values cross by the engine's own functions
#   make values   ten million random values into the engine, and out of it
#   make conformance  the official suite of MCP, in both revisions
#   make test262  DIR=...: ECMAScript's own suite, a checkout of tc39/test262;
#                 ENGINE=evaluator: on that engine
#   make fuzz     T=json S=600: that target for so long; without T, each
#   make soak     100,000 runs in processes, a million inline, a day of `serve`
#   make man      the man pages, in build/release
#   make dist     a tar file of what is committed
#   make install  into PREFIX (/usr/local), below DESTDIR when that is set
#   make clean    forget all that was built

PREFIX = /usr/local

all: build/release/build.ninja
	cmake --build --preset release --target product

build/%/build.ninja:
	cmake --preset $*

demo: all
	example/demo/run build/release/codemode

check:
	tool/fenced tool/check

test: build/dev/build.ninja
	cmake --build --preset dev
	ctest --preset dev -LE 'dev-only|asan-only|open' -j $$((3 * $$(nproc)))

prove:
	proof/prove

sim: build/dev/build.ninja
	cmake --build --preset dev --target sim_explore sim_shell sim_history
	test/sim/run full build/dev/test/sim/sim_explore \
		build/dev/test/sim/sim_shell \
		build/dev/test/sim/sim_history

# A room of src/, or files of one.
ROOM = src/sched
mutate: build/dev/build.ninja
	tool/mutate $(ROOM)

bench: all
	bench/run

# DIR: StableToolBench's solvable_queries/test_instruction, if it is at hand.
search-bench: build/release/build.ninja
	cmake --build build/release --target search_ask
	test/npm/node22 test/search/search.mjs \
		build/release/test/search/search_ask table $(DIR)

# DIR as above; TAU: a checkout of sierra-research/tau-bench, if it is at hand.
value: all
	test/npm/node22 --no-warnings test/value/value.mjs build/release/codemode \
		$(if $(DIR),--bench $(DIR)) $(if $(TAU),--tau $(TAU))

fmt:
	tool/sources | xargs clang-format-14 -i

lint: build/dev/build.ninja
	cmake --build --preset dev
	tool/lint

cover: build/cover/build.ninja
	tool/cover

man: all
	@ls build/release/doc/man/*.[1-9]

# Targets of test/fuzz, and for how many seconds.
T = frames gate json kept names source config record sse
S = 600
.PHONY: fuzz soak

fuzz: build/dev/build.ninja
	cmake --build --preset dev --target fuzz_targets
	for t in $(T); do echo "$$t:"; test/fuzz/run build/dev/test/fuzz/fuzz_$$t \
		test/fuzz/corpus/$$t $(S) build/fuzz/$$t || exit 1; done

values: build/release/build.ninja
	cmake --build --preset release --target engine_write engine_parse
	for t in write parse; do CODEMODE_VALUES=10000000 \
		build/release/test/engine/engine_$$t || exit 1; done

off: build/off/build.ninja
	cmake --build --preset off
	ctest --preset off -LE 'asan-only|fuzz|open' -j 2

conformance: build/dev/build.ninja
	cmake --build --preset dev --target codemode_program cli_server \
		codemode_worker conformance_server conformance_client
	test/conformance/run build/dev

ENGINE = quickjs
TEST262_quickjs = test/test262/claims.conf test/test262/known.txt
TEST262_evaluator = -e -c test/test262/claims_evaluator.conf \
	test/test262/claims.conf test/test262/known_evaluator.txt
test262: build/release/build.ninja
	cmake --build --preset release --target test262
	build/release/test/test262/test262 -j $$(nproc) $(TEST262_$(ENGINE)) $(DIR)

soak: build/release/build.ninja
	cmake --build --preset release --target soak soak_codemode mcp_fake
	build/release/test/soak/soak 1000000
	build/release/test/soak/soak 100000 build/release/codemode-worker
	test/npm/node22 test/soak/serve_day.mjs \
		$(CURDIR)/build/release/test/soak/moved/codemode \
		$(CURDIR)/build/release/test/mcp/mcp_fake 24

dist:
	tool/dist

install: all
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build

.PHONY: values off conformance test262 all demo check test prove sim mutate bench search-bench value fmt lint cover man dist install clean
