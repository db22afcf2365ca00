import path from 'node:path'
import { expect, test } from 'vitest'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'
import { readSweep, writeSweep } from '../../src/sweep/sweep-file.ts'
import { folderWith } from '../models/temp-folder.ts'

test('a configuration is read back as it was written, with what its requests carry besides', () => {
  const config = sweepFileSchema.parse({
    subjects: [
      {
        model: 'a/b',
        provider: ['first', 'second'],
        'reasoning-max-tokens': 32,
        'max-tokens-field': 'max_completion_tokens',
        'extra-body': { stop: [], top_k: 20, nested: { bias: {}, list: [[]] } },
      },
    ],
  })
  const file = path.join(folderWith({}), 'sweep.json')
  writeSweep(file, config)
  expect(readSweep(file).subjects).toEqual(config.subjects)
})
