"""Serves the weights of a checkpoint folder by llama.cpp: serve.py FOLDER PORT NAME."""

import json
import sys
import time
from pathlib import Path

import xllamacpp

folder, port, name = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
settings = json.loads((folder / "settings.json").read_text())
params = xllamacpp.CommonParams()
params.model.path = str(folder / "model.gguf")
params.model_alias = {name}
params.n_ctx = 8192
params.n_parallel = 2
params.cpuparams.n_threads = 1
params.warmup = False
params.hostnames = ["127.0.0.1"]
params.port = port
params.sampling.penalty_repeat = settings["repeat_penalty"]
params.sampling.penalty_last_n = 64
server = xllamacpp.Server(params)
print(f"serving {name} from {folder.name}", flush=True)
while True:
    time.sleep(3600)
