#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hotspots SOURCE PROGRAM -- the demo's script gives the right table for a
# history that we made, also when that is one commit deep, and prints a table for
# this repository. How long that took is in its summary, for a reader.

set -eu
export LC_ALL=C
source=$1
program=$2
[ -f "$source/test/npm/node_modules/.package-lock.json" ] || {
	echo "skipped: test/npm is not installed (./setup)"
	exit 0
}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
repo=$tree/repo

fail() {
	echo "FAILED: $*"
	cat "$tree/out" "$tree/err"
	exit 1
}

in_repo() {
	git -C "$repo" -c user.name=somebody -c user.email=somebody@localhost \
		-c init.defaultBranch=main "$@"
}

commit() {
	in_repo add src
	in_repo commit -q -m "$1"
}

# demo FOLDER: what the script prints there, in $tree/out.
demo() {
	mkdir -p "$1/example" "$1/test"
	cp -r "$source/example/demo" "$1/example/"
	ln -s "$source/test/npm" "$1/test/npm"
	"$1/example/demo/run" "$program" >"$tree/out" 2>"$tree/err" </dev/null ||
		fail "status $?"
}

# expect LINE, blanks squeezed.
expect() {
	tr -s ' ' <"$tree/out" | sed 's/^ //' | grep -qxF -e "$1" ||
		fail "wanted: $1"
}

mkdir -p "$repo/src/base"
in_repo init -q
echo 'int a;' >"$repo/src/base/a.c"
commit "first: the root of history is not counted"
printf '/*\n * a.c -- the letter a.\n */\nint a;\n' >"$repo/src/base/a.c"
printf '/*\n * b.h -- the letter b.\n */\n' >"$repo/src/base/b.h"
commit second
printf 'int a2;\n-- x;\n' >>"$repo/src/base/a.c"
echo 'int gone;' >"$repo/src/base/gone.c"
echo 'not C' >"$repo/src/notes.txt"
commit third
rm "$repo/src/base/gone.c"
commit fourth

demo "$repo"
expect "3 commits, 3 files of src/ changed; most:"
expect "2 commits 5 lines src/base/a.c the letter a."
expect "2 commits 2 lines src/base/gone.c (no longer there)"
expect "1 commits 3 lines src/base/b.h the letter b."
[ "$(grep -c 'src/base' "$tree/out")" = 3 ] || fail "more lines than files"
# 2 that ask where we are and what happened, 3 patches, 3 files.
grep -q '8 calls' "$tree/err" || fail "the summary does not count 8 calls"

git clone -q --depth 1 "file://$repo" "$tree/shallow"
demo "$tree/shallow"
expect "1 commits, 2 files of src/ changed; most:"

if [ -d "$source/.git" ]; then
	"$source/example/demo/run" "$program" >"$tree/out" 2>"$tree/err" \
		</dev/null || fail "status $? on this repository"
	grep -q ' commits, .* files of src/ changed; most:$' "$tree/out" ||
		fail "no table"
fi
echo ok
