import { configDefaults, defineConfig } from 'vitest/config'
import { Failures } from './support/failures.ts'
import { LongestFirst } from './support/longest-first.ts'
import { MEASURED } from './support/measured.ts'
import { quickFiles } from './support/quick.ts'
import { RequireAll } from './support/require-all.ts'
import { Slowest } from './support/slowest.ts'

// biome-ignore lint/style/noProcessEnv: set by the machine that judges, and by test:chaos
const { CHAOS, REQUIRE_ALL, TEST_FAILURES } = process.env
const requireAll = REQUIRE_ALL === '1'

const exclude = [...configDefaults.exclude, ...(CHAOS === 'full' ? [] : ['test/**/*.long.test.ts'])]

/** How each file is run. */
const common = {
  setupFiles: 'test/support/patience.ts',
  allowOnly: !requireAll,
  // what does not come fails the test; what is slow to come on a busy machine does not
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // a measured time is tried again, for the machine does other things, too, and so is what a server had no time for and told us to try
  // again; the end of the run says which. Whatever else is wrong fails at once
  retry: {
    count: 2,
    condition: / to be less than |Temporarily unavailable, try again|\b50[24]\b|\bexpected (\[ )?503[ ,]/,
  },
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks' as const,
  // a file takes up what the one before it in its process imported: a second each
  isolate: false,
  // what a source is transformed to is kept by its content, between files and runs
  experimental: { fsModuleCache: true },
}

const tests = {
  ...common,
  name: 'tests',
  include: ['test/**/*.test.ts'],
  exclude: [...exclude, ...MEASURED],
  // of two cores: tests wait about as long as they compute, and with more of them at work the limits of the server are met
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
}
const times = { ...common, name: 'times', include: MEASURED, exclude, maxWorkers: 2, sequence: { groupOrder: 1 } }
const quick = () => ({ ...tests, name: 'quick', include: quickFiles(), exclude, maxWorkers: 4 })

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig(({ mode }) => ({
  test: {
    ...common,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: [
      'default',
      new Slowest(),
      ...(requireAll ? [new RequireAll()] : []),
      ...(TEST_FAILURES ? [new Failures(TEST_FAILURES)] : []),
    ],
    sequence: { sequencer: LongestFirst },
    projects: (mode === 'quick' ? [quick()] : [tests, times]).map((test) => ({ test })),
  },
}))
