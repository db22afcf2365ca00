import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need real parts that are not npm packages: see vitest.itg.config.ts.
    exclude: ['test/**/*.itg.test.ts'],
    // Real processes, workers and servers run in these tests; two cores are the design point.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
