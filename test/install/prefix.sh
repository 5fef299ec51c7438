#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prefix SOURCE BUILD -- what `make install` leaves in a prefix is enough for
# a stranger: found by pkg-config alone and by CMake alone, shared and static,
# and with no name of ours but cm_* in it.

set -eu
export LC_ALL=C
here=$1/test/install
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
prefix=$tree/prefix

fail() {
	echo "FAILED: $*"
	exit 1
}

cmake --install "$2" --prefix "$prefix" >"$tree/log" ||
	fail "$(cat "$tree/log")"
lib=$(dirname "$(find "$prefix" -name libcodemode.a)")

# The header is clean in every language that claims to read it.
for language in c99 c11 c17; do
	cc -std=$language -Wall -Wextra -Wpedantic -Wconversion \
		-Wstrict-prototypes -Werror -fsyntax-only \
		-I"$prefix/include" "$here/header.c"
done
for language in c++11 c++17; do
	c++ -std=$language -Wall -Wextra -Wpedantic -Wconversion -Werror \
		-fsyntax-only -x c++ -I"$prefix/include" "$here/header.c"
done

# Exported: the functions of the headers, all of them, and nothing else.
cat "$prefix"/include/codemode/*.h | sed -n '/^CM_API/,/;/p' |
	grep -o 'cm_[a-z_0-9]*(' | tr -d '(' | sort -u >"$tree/declared"
nm -D --defined-only "$lib/libcodemode.so" | awk '$2 != "A" { print $3 }' |
	sed 's/@@CODEMODE_0$//' | sort >"$tree/exported"
nm -g --defined-only "$lib/libcodemode.a" | awk 'NF == 3 { print $3 }' |
	sort >"$tree/archived"
[ "$(wc -l <"$tree/declared")" -gt 15 ] || fail "few functions are declared"
diff "$tree/declared" "$tree/exported" || fail "the shared library's names"
diff "$tree/declared" "$tree/archived" || fail "the archive's names"
readelf -d "$lib/libcodemode.so" | grep -q 'soname: \[libcodemode.so.0\]' ||
	fail "the SONAME is not libcodemode.so.0"

# Built with what pkg-config says, shared; then static.
PKG_CONFIG_PATH=$lib/pkgconfig
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags codemode)
# shellcheck disable=SC2086,SC2046 # lists of words
cc -std=c99 $flags -o "$tree/shared" "$here/user.c" $(pkg-config --libs codemode)
[ "$(LD_LIBRARY_PATH=$lib "$tree/shared")" = "42" ] || fail "shared: no 42"
# shellcheck disable=SC2086,SC2046 # lists of words
cc -std=c99 $flags -o "$tree/static" "$here/user.c" "$lib/libcodemode.a" \
	$(pkg-config --static --libs-only-other codemode) -lm
[ "$("$tree/static")" = "42" ] || fail "static: no 42"
[ "$(pkg-config --modversion codemode)" = \
	"$(sed -n 's/^#define CM_VERSION "\(.*\)"/\1/p' \
		"$prefix/include/codemode/words.h")" ] || fail "versions differ"

# Found by CMake, both.
mkdir "$tree/project"
cp "$here/user.c" "$tree/project/"
cat >"$tree/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(codemode 0.1 REQUIRED)
foreach(kind codemode static)
	add_executable(with_${kind} user.c)
	target_link_libraries(with_${kind} codemode::${kind})
endforeach()
END
{
	cmake -G Ninja -S "$tree/project" -B "$tree/project/build" \
		-DCMAKE_PREFIX_PATH="$prefix" &&
		cmake --build "$tree/project/build"
} >"$tree/log" 2>&1 || fail "$(cat "$tree/log")"
for kind in codemode static; do
	[ "$("$tree/project/build/with_$kind")" = "42" ] ||
		fail "CMake, $kind: no 42"
done

# The command, its manual and its completion came along.
[ "$("$prefix/bin/codemode" --version)" = \
	"codemode $(pkg-config --modversion codemode)" ] || fail "the command"
for page in codemode codemode-run codemode-replay codemode-check \
	codemode-serve codemode-tools codemode-types codemode-call codemode-config codemode-login \
	codemode-logout codemode-status codemode-policy codemode-stats codemode-view codemode-doctor \
	codemode-worker; do
	grep -q '^\.SH OPTIONS\|^\.SH NAME' "$prefix/share/man/man1/$page.1" ||
		fail "the page of $page"
done
bash -n "$prefix/share/bash-completion/completions/codemode" ||
	fail "the completion"
echo ok
