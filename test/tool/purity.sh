#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tool/purity finds a planted system call, and lets pass what a list or another
# room allows.

set -eu
purity=$1/tool/purity
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
base=$tree/CMakeFiles/room_base.dir/src/base
sched=$tree/CMakeFiles/room_sched.dir/src/sched
mkdir -p "$base" "$sched"

fail() {
	echo "FAILED: $*"
	exit 1
}

compile() {
	printf '%s\n' "$2" | cc -c -x c -o "$1" -
}

echo 'base malloc	# memory
sched memcpy' >"$tree/allow"

compile "$base/a.o" 'void *malloc(unsigned long); void other(void);
void *base_new(void); void *base_new(void) { other(); return malloc(1); }'
compile "$base/b.o" 'void other(void); void other(void) {}'
"$purity" "$tree" "$tree/allow" >"$tree/out" || fail "$(cat "$tree/out")"
grep -q '2 object files' "$tree/out" || fail "counted: $(cat "$tree/out")"

# What one room may, another may not.
compile "$sched/c.o" 'void *malloc(unsigned long); long read(int, void *, long);
void *f(void); void *f(void) { read(0, malloc(1), 1); return malloc(2); }'
if "$purity" "$tree" "$tree/allow" >"$tree/out"; then
	fail "read and malloc in sched were not found"
fi
for symbol in read malloc; do
	grep -q "sched may not call $symbol (c.o)" "$tree/out" ||
		fail "$symbol: $(cat "$tree/out")"
done

if "$purity" "$tree/nowhere" "$tree/allow" 2>/dev/null; then
	fail "an empty build passed"
fi
echo ok
