import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes, workers and servers run in these tests; two cores are the design point.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
