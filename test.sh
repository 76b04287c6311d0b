#!/bin/sh
# Runs all checks and tests. Needs Go; with Python 3 it makes an environment of its own in
# .venv for the tests that drive real Jupyter clients.
#
#   ./test.sh           everything
#   ./test.sh --quick   without what takes minutes
#
# GONB_SVM_DATA names the folders with real data sets; without it the tests that need them
# are skipped and say so.
set -eu
cd "$(dirname -- "$0")"

short=''
for argument in "$@"; do
	case $argument in
	--quick) short=-short ;;
	*)
		echo "usage: ./test.sh [--quick]" >&2
		exit 2
		;;
	esac
done

step() { printf '\n== %s\n' "$*"; }

step "Python environment for the Jupyter tests"
requirements=cmd/gonb-svm/testdata/requirements.txt
if command -v python3 >/dev/null 2>&1 && python3 -c 'import venv, ensurepip' 2>/dev/null; then
	if ! cmp -s $requirements .venv/requirements.txt; then
		rm -rf .venv
		python3 -m venv .venv
		.venv/bin/python -m pip install --quiet --disable-pip-version-check -r $requirements
		cp $requirements .venv/requirements.txt
	fi
	GONB_SVM_PYTHON=$PWD/.venv/bin/python
	export GONB_SVM_PYTHON
	echo "$GONB_SVM_PYTHON"
else
	unset GONB_SVM_PYTHON || true
	echo "Python 3 with venv is missing: the tests that need a Jupyter client are left out."
fi
[ -n "${GONB_SVM_DATA:-}" ] || echo "GONB_SVM_DATA is not set: the tests on real data sets are left out."

step "gofmt"
unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
	echo "gofmt would change:"
	echo "$unformatted"
	exit 1
fi

step "go vet"
go vet ./...

step "staticcheck"
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

step "go test"
# shellcheck disable=SC2086
go test $short -timeout 30m ./...

step "go test of the kernel values, by each kind of instructions"
for path in avx512 avx2 go; do
	GONB_SVM_SIMD=$path go test -count=1 -short ./solvers/internal/...
done

step "go test -race"
# Without the real data sets, and of the solvers what shares work: their other tests are of figures
# and take minutes here.
# shellcheck disable=SC2046
env -u GONB_SVM_DATA go test -race -short -timeout 30m $(go list ./kernel/... ./solvers/... ./notebooks/... | grep -v '/solvers$')
env -u GONB_SVM_DATA go test -race -short -timeout 30m -run 'Deterministic$|^TestCompare|^TestProtocol' ./solvers

step "arm64 compiles"
GOARCH=arm64 go vet ./solvers/...

echo
echo "all tests passed"
