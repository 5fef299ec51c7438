#!/bin/sh
# SPDX-License-Identifier: MIT
#
# No tool slips past tool/fenced, which is what shows a forgotten line of
# tool/packages: `make check` runs behind it, no script names a program by its
# full path, and CMake looks for listed programs only.

set -eu
cd "$1"
status=0

fail() {
	echo "FAILED: $*"
	status=1
}

grep -q '^	tool/fenced tool/check$' Makefile ||
	fail "make check does not run behind tool/fenced"

# sh and env are on every Unix.
tool/sources sh | xargs grep -nE '(^|[^[:alnum:]_./$}*-])(/usr)?(/local)?/s?bin/[a-z]' |
	grep -vE '#!/bin/sh|/usr/bin/env ' | grep -v '^./test/setup/' &&
	fail "these lines name a program by its full path"

# listed PROGRAM: in tool/packages, or of an essential package.
listed() {
	awk '!/^#/ { for (i = 3; i <= NF; i++) print $i }' tool/packages |
		grep -qx "$1" && return 0
	file=$(command -v "$1") || return 1
	package=$(dpkg -S "$file" 2>/dev/null | sed 's/:.*//')
	dpkg-query -W -f '${Essential}\n' "$package" | grep -q yes
}

programs=$(find . \( -name node_modules -o -path ./build \) -prune -o \
	\( -name CMakeLists.txt -o -name '*.cmake' \) -exec sed -nE \
	's/.*find_program\([[:alnum:]_]+ ([[:alnum:]_+-]+).*/\1/p' {} + |
	sort -u)
for program in $programs; do
	listed "$program" || fail "find_program: $program is not listed"
done

# The interpreters of scripts that are not sh.
find . \( -name node_modules -o -name .git -o -path ./build \) -prune -o \
	-type f -perm -u+x -exec sed -n '1s/^#!//p' {} + | sort -u |
	while read -r interpreter argument _; do
		case $interpreter in
		/bin/sh) ;;
		/usr/bin/env) listed "$argument" || echo "$argument" ;;
		*) echo "$interpreter" ;;
		esac
	done | grep . && fail "these interpreters are not listed"

[ $status = 0 ] && echo ok
exit $status
