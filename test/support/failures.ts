import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

type Thrown = {
  readonly message: string
  readonly diff?: string
  readonly stacks?: readonly { file: string; line: number }[]
}

/** Of the message of one failure. */
const LINES = 12
const CHARACTERS = 300

/**
 * Writes into a file what did not pass, as somebody wants to read it who has only the end of the output: how many tests passed and
 * how many failures there are in the first line, then each failure with its file, its title and how its message begins. Written
 * after every file, so that a run that is killed tells, too.
 */
export class Failures implements Reporter {
  readonly #to: string
  readonly #failures: string[] = []
  #passed = 0
  #root = ''

  constructor(to: string) {
    this.#to = to
  }

  onInit({ config }: Vitest): void {
    this.#root = config.root
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(this.#root, module.moduleId)
    this.#add(`${file}: outside its tests`, module.errors())
    for (const suite of module.children.allSuites()) this.#add(`${file}: around ${suite.fullName}`, suite.errors())
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') this.#passed++
      else if (state === 'failed') this.#add(`${file}: ${test.fullName}`, errors)
      else this.#failures.push(`  ${file}: ${test.fullName} (${state})`)
    }
    this.#write()
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly Thrown[]): void {
    this.#add('outside every test', unhandled)
    this.#write()
  }

  #add(where: string, errors: readonly Thrown[]): void {
    if (errors.length > 0)
      this.#failures.push([`  ${where}`, ...errors.flatMap((error) => this.#beginning(error))].join('\n'))
  }

  #beginning({ message, diff = '', stacks: [at] = [] }: Thrown): string[] {
    const lines = stripVTControlCharacters(`${message}\n${diff}`)
      .split('\n')
      .filter((line) => line.trim() !== '')
    const place = at ? [`at ${relative(this.#root, at.file)}:${at.line}`] : []
    return [...lines.slice(0, LINES), ...place].map((line) => `      ${line.slice(0, CHARACTERS)}`)
  }

  #write(): void {
    writeFileSync(this.#to, [`${this.#passed} ${this.#failures.length}`, ...this.#failures, ''].join('\n'))
  }
}
