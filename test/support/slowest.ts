import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

const SHOWN = 20

/**
 * Says at the end of a run which files took longest, what is paid for by everybody on every change, and which tests came through
 * only when they were tried again: the next ones to fail.
 */
export class Slowest implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const root = this.#vitest?.config.root
    // one file is run to see that file
    if (!this.#vitest || root === undefined || modules.length <= SHOWN) return
    const slowest = modules
      .map((module) => ({ file: relative(root, module.moduleId), ms: module.diagnostic().duration }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, SHOWN)
    const lines = slowest.map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${file}`)
    this.#vitest.logger.log(['', ` The ${SHOWN} slowest files`, ...lines, ''].join('\n'))
    const again = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `   ${relative(root, module.moduleId)}: ${test.fullName} (${test.diagnostic()?.retryCount})`),
    )
    if (again.length > 0) this.#vitest.logger.log([' Tried again', ...again, ''].join('\n'))
  }
}
