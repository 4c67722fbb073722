import type { Reporter, TestModule } from 'vitest/node'

/** Makes a run fail in which a test was skipped: on the machine that judges, everything must have run. */
export class RequireAll implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        process.stderr.write(`skipped though everything is required: ${test.fullName}\n`)
        process.exitCode = 1
      }
  }
}
