# SPDX-License-Identifier: MIT
#
# The verbs; what they do is in CMakePresets.json and tool/.
#
#   make          build for use (build/release)
#   make demo     run the main job on this repository
#   make check    build and pass every test; ends in their count
#   make test     the quick half of it: the dev build and its tests
#   make bench    ours and the peers, side by side
#   make fmt      lay out the C files
#   make lint     what clang-tidy and cppcheck find (./setup extra)
#   make cover    which lines the tests reach       (./setup extra)
#   make man      the man pages, in build/release
#   make dist     a tar file of what is committed
#   make install  into PREFIX (/usr/local), below DESTDIR when that is set
#   make clean    forget all that was built

PREFIX = /usr/local

all: build/release/CMakeCache.txt
	cmake --build --preset release --target product

build/%/CMakeCache.txt:
	cmake --preset $*

demo: all
	example/demo/run build/release/codemode

check:
	tool/fenced tool/check

test: build/dev/CMakeCache.txt
	cmake --build --preset dev
	ctest --preset dev

bench: all
	bench/run

fmt:
	tool/sources | xargs clang-format-14 -i

lint: build/dev/CMakeCache.txt
	cmake --build --preset dev
	tool/lint

cover: build/cover/CMakeCache.txt
	tool/cover

man: all
	@ls build/release/doc/man/*.[1-9]

dist:
	tool/dist

install: all
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build

.PHONY: all demo check test bench fmt lint cover man dist install clean
