#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tool/layers says yes to a small tree and no, with file and line, to each way
# of breaking it.

set -eu
layers=$1/tool/layers
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/src/catalog" "$tree/src/engine/quickjs" \
	"$tree/cmd/codemode"

fail() {
	echo "FAILED: $*"
	exit 1
}

# refused FILE INCLUDE WHAT: that line in that file is found, as WHAT.
refused() {
	printf '/* a comment */\n%s\n' "$2" >"$tree/$1"
	if "$layers" "$tree" >"$tree/out"; then
		fail "$2 in $1 was not found"
	fi
	grep -q "$3" "$tree/out" || fail "$2 in $1: $(cat "$tree/out")"
	rm "$tree/$1"
}

echo '#include <codemode/words.h>' >"$tree/src/base/text.h"
printf '#include "catalog.h"\n#include "base/text.h"\n#include <stdio.h>\n' \
	>"$tree/src/catalog/catalog.c"
echo '#include <codemode/codemode.h>' >"$tree/cmd/codemode/main.c"
echo '#include "engine/engine.h"' >"$tree/src/engine/quickjs/vm.c"
"$layers" "$tree" >"$tree/out" || fail "a good tree: $(cat "$tree/out")"
grep -q '4 files' "$tree/out" || fail "counted: $(cat "$tree/out")"

refused src/base/up.c '#include "catalog/catalog.h"' \
	'src/base/up.c:2: src/base may not include catalog/catalog.h'
refused src/catalog/api.h '#  include <codemode/codemode.h>' \
	'src/catalog may not include codemode/codemode.h'
refused src/catalog/climb.c '#include "../base/text.h"' 'climbs'
refused cmd/codemode/deep.c '#include "engine/engine.h" /* a < b */' \
	'cmd/codemode may not include engine/engine.h'
mkdir "$tree/src/attic"
refused src/attic/old.c '#include <stdio.h>' 'src/attic is no room'
echo ok
