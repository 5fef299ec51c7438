#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What setup does and says, with a Debian made of small scripts: installs what
# is missing and nothing else, nothing twice, and stops with the list where it
# may not or cannot install.

set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tool" "$tree/test/npm" "$tree/bin"
cp "$1/setup" "$tree/"
echo 'ID=debian' >"$tree/os-release"
echo '{}' >"$tree/test/npm/package-lock.json"
cat >"$tree/tool/packages" <<'END'
# a comment
demo   alpha       alpha
demo   libbeta-dev -
check  gamma       gamma gamma2
extra  delta       delta
END

fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tree/bin/$1"
	chmod +x "$tree/bin/$1"
}
for name in sh dirname cat cmp cp sed sort tr fold env grep mkdir rm; do
	ln -s "$(command -v $name)" "$tree/bin/$name"
done
fake id 'echo 0'
# libbeta-dev counts as installed once the file beta is there.
fake dpkg-query "[ -e $tree/beta ] && echo installed"
fake apt-get "echo \"apt-get \$*\" >>$tree/log"
fake npm "echo \"npm \$*\" >>$tree/log; mkdir -p node_modules"

# run WANTED-STATUS [ARGUMENT]: setup, its words in $tree/err.
run() {
	: >"$tree/log"
	wanted=$1
	shift
	status=0
	PATH=$tree/bin OS_RELEASE=$tree/os-release "$tree/setup" "$@" \
		2>"$tree/err" || status=$?
	[ $status = "$wanted" ] || fail "status $status, wanted $wanted"
}

fail() {
	echo "FAILED: $*"
	cat "$tree/err" "$tree/log"
	exit 1
}

said() {
	grep -q -e "$1" "$tree/err" || fail "it did not say: $1"
}

did() {
	grep -q -e "$1" "$tree/log" || fail "it did not do: $1"
}

# All of the part is missing; the next part is not looked at.
run 0 demo
did 'apt-get .*update'
did 'install -y --no-install-recommends alpha libbeta-dev$'
did 'npm ci --ignore-scripts'
said 'installing alpha libbeta-dev'
said 'installing the npm packages of test/npm'

# One is missing, because one of its commands is.
touch "$tree/beta"
fake alpha :
fake gamma :
run 0
did 'no-install-recommends gamma$'
grep -q npm "$tree/log" && fail "the same lock was installed twice"

# Nothing is missing: nothing is done, not even an update.
fake gamma2 :
run 0
[ -s "$tree/log" ] && fail "it did something"
said 'all there'

# Another lock.
echo '{ }' >"$tree/test/npm/package-lock.json"
run 0
did 'npm ci'

# Not root: through sudo where there is one, else the list and an end.
fake id 'echo 1000'
rm "$tree/bin/gamma2"
run 1
said 'no sudo; missing: gamma$'
said 'alpha gamma libbeta-dev'
grep -q delta "$tree/err" && fail "the list has what was not asked for"
fake sudo "echo sudo >>$tree/log; exec \"\$@\""
run 0
did sudo
did 'no-install-recommends gamma$'

# sudo refuses.
fake sudo 'exit 1'
run 1
said 'apt-get failed; missing: gamma'
said 'alpha gamma libbeta-dev'

# Not Debian.
printf 'ID=fedora\nPRETTY_NAME="Some Linux 40"\n' >"$tree/os-release"
run 1
said 'Some Linux 40'
said 'alpha gamma libbeta-dev'
[ -s "$tree/log" ] && fail "it did something"

run 2 nonsense
said 'usage: '
echo ok
