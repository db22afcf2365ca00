import { defineConfig } from 'vitest/config'

/** Suites with real parts that are not npm packages; `.ci/run` installs those. */
export default defineConfig({
  test: {
    include: ['test/**/*.itg.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
})
