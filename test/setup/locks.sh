#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The npm locks pin everything by version and hash and name no host, and every
# version that people are told of (package.json) is exact.

set -eu
cd "$1"
status=0

fail() {
	echo "FAILED: $*"
	status=1
}

locks=$(find . -name node_modules -prune -o -name package-lock.json -print)
[ "$(echo "$locks" | wc -l)" -ge 2 ] || fail "there are too few locks"
for lock in $locks; do
	grep -qE '"resolved"|https?://[^"]*\.tgz' "$lock" &&
		fail "$lock names a host"
	packages=$(grep -c '^[[:space:]]*"node_modules/[^:]*": {' "$lock")
	hashes=$(grep -c '"integrity": "sha512-' "$lock")
	[ "$packages" = "$hashes" ] ||
		fail "$lock: $packages packages, $hashes hashes"
	grep -nE '": "[~^<>*]' "$(dirname "$lock")/package.json" &&
		fail "$(dirname "$lock")/package.json has a version that floats"
	# Debian 12's npm takes no lock with an override by another package.
	grep -n '": "npm:' "$(dirname "$lock")/package.json" &&
		fail "$(dirname "$lock")/package.json has an alias"
done

sha256sum=$(cut -d' ' -f1 engine-quickjs/quickjs.sha256)
[ ${#sha256sum} = 64 ] || fail "engine-quickjs/quickjs.sha256 is no hash"

[ $status = 0 ] && echo ok
exit $status
