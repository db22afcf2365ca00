import { expect, test } from 'vitest'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'
import { serverEnvironment } from '../../src/sweep/server-environment.ts'

const passed = (env: NodeJS.ProcessEnv, keyNames: string[] = []) =>
  serverEnvironment(
    env,
    sweepFileSchema.parse({
      subjects: keyNames
        .map((name) => ({ model: 'a/b', 'api-key-env': name }))
        .concat([{ model: 'c/d', 'api-key-env': 'OTHER_KEY' }]),
    }),
  )

test('a server is told where programs, libraries, devices and kept models are', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/a',
    LC_ALL: 'C',
    LD_LIBRARY_PATH: '/lib',
    CUDA_VISIBLE_DEVICES: '0',
    NVIDIA_VISIBLE_DEVICES: 'all',
    HF_HOME: '/models',
    VIRTUAL_ENV: '/venv',
    PYTHONPATH: '/py',
    OMP_NUM_THREADS: '2',
    TOKENIZERS_PARALLELISM: 'false',
  }
  expect(passed(env)).toEqual(env)
})

test.each([
  'OPENROUTER_API_KEY',
  'OTHER_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'HF_TOKEN',
  'VLLM_API_KEY',
  'PYTHON_TOKEN',
  'ANYTHING',
])('%s is not passed on', (name) => {
  expect(passed({ PATH: '/bin', [name]: 'canary' })).toEqual({ PATH: '/bin' })
})

test('a variable that a subject names as its key is not passed on, whatever its name', () => {
  expect(passed({ PATH: '/bin', CUDA_MODEL: 'canary' }, ['CUDA_MODEL'])).toEqual({ PATH: '/bin' })
})

test('a variable that holds a URL with a password is not passed on', () => {
  expect(passed({ PATH: '/bin', PYTHON_INDEX: 'https://me:canary@index.example/' })).toEqual({ PATH: '/bin' })
})
