#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tool/fenced shows a command the programs of tool/packages and no others.

set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/tool" "$tree/bin"
cp "$1/tool/fenced" "$tree/tool/"

printf 'demo some-package listed missing-here\n# x y unlisted\n' \
	>"$tree/tool/packages"
for name in listed unlisted; do
	printf '#!/bin/sh\necho %s ran\n' $name >"$tree/bin/$name"
	chmod +x "$tree/bin/$name"
done
PATH=$tree/bin:$PATH
export PATH

[ "$("$tree/tool/fenced" listed)" = "listed ran" ]
[ "$("$tree/tool/fenced" sh -c 'ls / | grep -c "^usr$"')" = 1 ]
if "$tree/tool/fenced" unlisted 2>/dev/null; then
	echo "FAILED: a program that no list names was found"
	exit 1
fi
[ "$(unlisted)" = "unlisted ran" ]
echo ok
