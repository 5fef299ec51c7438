#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh PROGRAM EXPECTED -- it ends well and prints exactly that.

set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$1" >"$out" || {
	echo "FAILED: it ended with $?"
	exit 1
}
diff "$2" "$out"
