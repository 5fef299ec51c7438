#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh OUT CACHE CC MODULE.c [FLAG ...]
#
# Makes OUT/quickjs_wasm.h, OUT/quickjs_wasm.c and OUT/module.o from the pinned
# quickjs.wasm. The object is kept in CACHE under the hash of everything that
# goes into it, so it is compiled once for each compiler and setting.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1 cache=$2 cc=$3 module=$4
shift 4

wasm=$here/node_modules/quickjs-wasi/quickjs.wasm
want=$(cut -d' ' -f1 "$here/quickjs.sha256")
have=$(sha256sum "$wasm" | cut -d' ' -f1)
if [ "$have" != "$want" ]; then
	echo "engine-quickjs: $wasm is not the pinned module" >&2
	echo "  its sha256:            $have" >&2
	echo "  engine-quickjs/quickjs.sha256: $want" >&2
	exit 1
fi

mkdir -p "$out" "$cache"
key=$( { echo "$want"; wasm2c --version; "$cc" --version | head -n 1; echo "$*"
	cat "$module" "$(dirname "$module")/module.h" "$here/build.sh"; } | sha256sum | cut -d' ' -f1)
kept=$cache/quickjs-$key

if [ ! -f "$kept.h" ]; then
	wasm2c "$wasm" -o "$out/quickjs_wasm.c"
	cp "$out/quickjs_wasm.h" "$kept.h.$$"
	mv "$kept.h.$$" "$kept.h"
fi
if [ ! -f "$kept.o" ]; then
	[ -f "$out/quickjs_wasm.c" ] || wasm2c "$wasm" -o "$out/quickjs_wasm.c"
	echo "engine-quickjs: compiling the generated C (about a minute, once)"
	"$cc" "$@" -w -I"$out" -I"$(dirname "$module")" -c "$module" -o "$kept.o.$$"
	mv "$kept.o.$$" "$kept.o"
fi
cp "$kept.h" "$out/quickjs_wasm.h"
cp "$kept.o" "$out/module.o"
rm -f "$out/quickjs_wasm.c"
