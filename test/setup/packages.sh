#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each line of tool/packages is true: the package, where Debian installed it,
# contains the commands that the line wants it for.

set -eu
root=$1
list=$(mktemp)
trap 'rm -f "$list"' EXIT
status=0
seen=0

# brings PACKAGE COMMAND: as a file, or as one of Debian's alternatives.
brings() {
	dpkg -L "$1" | grep -E '/s?bin/[^/]+$' >"$list"
	grep -q "/$2\$" "$list" && return 0
	update-alternatives --list "$2" 2>/dev/null | grep -qxFf "$list"
}

while read -r when package commands; do
	case $when in
	'' | '#'*) continue ;;
	demo | check | extra) ;;
	*)
		echo "FAILED: $package: what is the part '$when'?"
		status=1
		;;
	esac
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = \
		installed ] || continue
	seen=$((seen + 1))
	for command in $commands; do
		if [ "$command" != - ] && ! brings "$package" "$command"; then
			echo "FAILED: $package does not bring $command"
			status=1
		fi
	done
done <"$root/tool/packages"

[ $seen -gt 8 ] || {
	echo "FAILED: only $seen packages of the list are installed"
	status=1
}
[ $status = 0 ] && echo "ok: $seen packages looked at"
exit $status
