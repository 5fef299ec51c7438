#!/bin/sh
# SPDX-License-Identifier: MIT
#
# guide SOURCE -- the guide lists the fences and system calls that there are.

set -eu
export LC_ALL=C
source=$1
guide=$source/doc/guide/sandbox.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# section TITLE: its lines.
section() {
	awk -v title="## $1" '/^## /{ on = ($0 == title) } on' "$guide"
}

# names of the first column, each in backquotes
# shellcheck disable=SC2016 # the backquotes are the guide's
column() {
	grep '^| `' | cut -d '|' -f 2 | grep -o '`[a-z_0-9]*`' | tr -d '`'
}

sed -n 's/^FENCE(\([a-z_0-9]*\), \([A-Z]*\),.*/\1 \2/p' \
	"$source/src/wire/fences.def" | tr '[:upper:]' '[:lower:]' >"$work/fences"
section "The fences" | grep '^| `' | tr -d '`|' | awk '{ print $1, $2 }' \
	>"$work/told"
diff "$work/fences" "$work/told"

sed -n 's/^SYSCALL(\([a-z_0-9]*\), [AN][A-Z_]*,.*/\1/p' \
	"$source/src/fence/syscalls.def" | sort >"$work/calls"
section "The system calls" | column | sort >"$work/told"
diff "$work/calls" "$work/told"

# The number in the prose, twice.
count=$(wc -l <"$work/calls")
[ "$(grep -c "\b$count \(system \)\?calls" "$guide")" = 2 ] || {
	echo "FAILED: there are $count system calls"
	exit 1
}
echo ok
