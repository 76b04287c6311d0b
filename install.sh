#!/bin/sh
# Builds gonb-svm and gonb-svm-sweep, installs the binaries and the Jupyter kernelspec, and with
# --demo runs the quickstart notebook. Needs Go and nothing else.
set -eu

usage() {
	cat <<'TEXT'
usage: ./install.sh [--user | --prefix DIR] [--demo]
       ./install.sh --uninstall [--user | --prefix DIR]

  --user        binary in ~/.local/bin, kernelspec where Jupyter looks for this user (default)
  --prefix DIR  binary in DIR/bin, kernelspec in DIR/share/jupyter/kernels
  --demo        then run notebooks/examples/quickstart.ipynb and say where the result lies
  --uninstall   remove the binary and the kernelspec again
TEXT
}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

prefix='' demo=no uninstall=no
while [ $# -gt 0 ]; do
	case $1 in
	--user) prefix='' ;;
	--prefix)
		[ $# -ge 2 ] || fail "--prefix wants a folder"
		shift
		prefix=$1
		;;
	--prefix=*) prefix=${1#--prefix=} ;;
	--demo) demo=yes ;;
	--uninstall) uninstall=yes ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
	shift
done

source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -n "$prefix" ]; then
	mkdir -p "$prefix"
	prefix=$(CDPATH='' cd -- "$prefix" && pwd)
	bin=$prefix/bin
else
	bin=${XDG_BIN_HOME:-$HOME/.local/bin}
fi

# kernelspec install|uninstall: the binary knows where Jupyter looks.
kernelspec() {
	if [ -n "$prefix" ]; then
		"$bin/gonb-svm" "$1" --prefix "$prefix"
	else
		"$bin/gonb-svm" "$1" --user
	fi
}

if [ $uninstall = yes ]; then
	[ -x "$bin/gonb-svm" ] || fail "nothing to uninstall: there is no $bin/gonb-svm"
	kernelspec uninstall
	rm -f "$bin/gonb-svm" "$bin/gonb-svm-sweep"
	echo "removed $bin/gonb-svm"
	exit 0
fi

need="gonb-svm needs Go 1.26 or newer: install it from https://go.dev/dl/ and run this again"
command -v go >/dev/null 2>&1 || fail "Go is not installed; $need"
# Go 1.21 and newer fetch the version that go.mod asks for, so ask inside the module.
found=$(cd "$source" && go env GOVERSION 2>/dev/null) || found=$(cd / && go env GOVERSION 2>/dev/null) || found="an unknown version"
number=${found#go}
major=${number%%.*}
minor=${number#*.}
minor=${minor%%[!0-9]*}
case $major$minor in
*[!0-9]* | '') fail "this Go is $found; $need" ;;
esac
if [ "$major" -lt 1 ] || { [ "$major" -eq 1 ] && [ "$minor" -lt 26 ]; }; then
	fail "this Go is $found; $need"
fi

echo "building gonb-svm with $found (the first time takes a few minutes) …"
mkdir -p "$bin"
# Built beside its place and moved there, so that a running kernel keeps its own binary.
for program in gonb-svm gonb-svm-sweep; do
	(cd "$source" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$bin/.$program.new" "./cmd/$program")
	mv -f "$bin/.$program.new" "$bin/$program"
	echo "installed $bin/$program"
done
kernelspec install

if [ $demo = yes ]; then
	out=$source/demo
	mkdir -p "$out"
	echo
	echo "running notebooks/examples/quickstart.ipynb …"
	echo
	"$bin/gonb-svm" run -o "$out/quickstart.ipynb" --html "$out/quickstart.html" "$source/notebooks/examples/quickstart.ipynb"
	cat <<TEXT

The executed notebook:  $out/quickstart.ipynb
The same as a web page: $out/quickstart.html   (open it in any browser)
To work in it:          jupyter lab $out/quickstart.ipynb
                        and choose the kernel "Go (gonb-svm)".
TEXT
	if ! command -v jupyter >/dev/null 2>&1; then
		echo "Jupyter is not installed here: python3 -m pip install jupyterlab"
	fi
fi

case :$PATH: in
*:"$bin":*) ;;
*) echo "note: $bin is not in your PATH; Jupyter does not need that, but to type gonb-svm add it: export PATH=\"$bin:\$PATH\"" ;;
esac
