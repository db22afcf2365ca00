#!/usr/bin/env bash
# Puts act, which runs workflows on this machine, and actionlint into DIR/bin, for test/act: `install.sh DIR [act|actionlint]`, both
# where none is named. They are built from source by way of the Go proxy: act takes about two minutes, and nothing is fetched where
# DIR has them in these versions.
set -euo pipefail
dir=${1:?give the folder to install into}
wanted=${2:-all}
mkdir -p "$dir/bin"
bin=$(cd "$dir/bin" && pwd)
command -v go >/dev/null || { echo "There is no go on PATH: install Go 1.25 or later." >&2; exit 1; }

install() { # MODULE VERSION PACKAGE
  local file=$bin/${3##*/}
  if go version -m "$file" 2>/dev/null | grep -qE "^[[:space:]]mod[[:space:]]$1[[:space:]]$2([[:space:]]|$)"; then return; fi
  # Not in the folder at hand: a go.mod there would have a say.
  (cd "$bin" && GOBIN="$bin" go install "$3@$2")
}
[ "$wanted" = actionlint ] || install github.com/nektos/act v0.2.89 github.com/nektos/act
[ "$wanted" = act ] || install github.com/rhysd/actionlint v1.7.12 github.com/rhysd/actionlint/cmd/actionlint
