import type { SweepConfig } from '../config/sweep-config.ts'
import { secretNames } from '../engine/vox/build-environment.ts'

/** What a model server may know of our environment: where programs, libraries, devices and kept models are. */
const ALLOWED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
  ...['HF_HOME', 'HF_HUB_CACHE', 'HF_HUB_OFFLINE', 'HF_DATASETS_CACHE', 'TRANSFORMERS_CACHE', 'TRANSFORMERS_OFFLINE'],
  ...['XDG_CACHE_HOME', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'PYENV_VERSION', 'TOKENIZERS_PARALLELISM'],
])
const ALLOWED_PREFIXES = [
  ...['LC_', 'PYTHON', 'CUDA_', 'NVIDIA_', 'NCCL_', 'HIP_', 'ROCR_', 'HSA_', 'OMP_', 'GOMP_', 'KMP_', 'MKL_'],
  ...['OPENBLAS_', 'TORCH_', 'PYTORCH_', 'TRITON_', 'VLLM_', 'LLAMA_', 'GGML_'],
]
/** Of tokens of a language, not of an account. */
const PUBLIC = new Set(['TOKENIZERS_PARALLELISM'])

/** Variables that hold keys of ours, whatever they are named. */
function keyNames({ subjects }: SweepConfig): ReadonlySet<string> {
  const named = subjects.flatMap((subject) => subject['api-key-env'] ?? [])
  return new Set(['OPENROUTER_API_KEY', 'VOX_SOURCE_TOKEN', ...named])
}

/**
 * The environment of a model server: an allowlist over ours, in which nothing passes that a subject names as its key, that is named
 * like a secret, or that holds a URL with a password.
 */
export function serverEnvironment(env: NodeJS.ProcessEnv, config: SweepConfig): Record<string, string> {
  const secrets = new Set(secretNames(env).filter((name) => !PUBLIC.has(name)))
  const keys = keyNames(config)
  const isAllowed = (name: string) => ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix))
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isAllowed(name) && !secrets.has(name) && !keys.has(name) ? [[name, value]] : [],
    ),
  )
}
