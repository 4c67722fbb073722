import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

type Thrown = {
  readonly message: string
  readonly diff?: string
  readonly cause?: { readonly message?: unknown }
  readonly stacks?: readonly { file: string; line: number }[]
}

/** Of the message of one failure. */
const LINES = 12
const CHARACTERS = 300
/** Of one file: where what is around its tests broke, each of them failed. */
const SHOWN = 8

/**
 * Writes into a file what did not pass, as somebody wants to read it who has only the end of the output: how many tests passed and
 * how many failures there are in the first line, then each failure with its file, its title and how its message begins. Written
 * after every file, so that a run that is killed tells, too.
 */
export class Failures implements Reporter {
  readonly #to: string
  /** By where they are told: a file, or outside every test. */
  readonly #failures = new Map<string, string[]>()
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
    this.#add(file, 'outside its tests', module.errors())
    for (const suite of module.children.allSuites()) this.#add(file, `around ${suite.fullName}`, suite.errors())
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') this.#passed++
      else if (state === 'failed') this.#add(file, test.fullName, errors)
      else this.#push(file, `  ${file}: ${test.fullName} (${state})`)
    }
    this.#write()
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly Thrown[]): void {
    this.#add('the run', 'outside every test', unhandled)
    this.#write()
  }

  #add(file: string, what: string, errors: readonly Thrown[]): void {
    if (errors.length > 0)
      this.#push(file, [`  ${file}: ${what}`, ...errors.flatMap((error) => this.#beginning(error))].join('\n'))
  }

  #push(file: string, text: string): void {
    this.#failures.set(file, [...(this.#failures.get(file) ?? []), text])
  }

  #beginning({ message, cause, diff = '', stacks: [at] = [] }: Thrown): string[] {
    const because = cause?.message === undefined ? '' : `because: ${cause.message}`
    const lines = stripVTControlCharacters(`${message}\n${because}\n${diff}`)
      .split('\n')
      .filter((line) => line.trim() !== '')
    const place = at ? [`at ${relative(this.#root, at.file)}:${at.line}`] : []
    return [...lines.slice(0, LINES), ...place].map((line) => `      ${line.slice(0, CHARACTERS)}`)
  }

  #write(): void {
    const failures = [...this.#failures]
    const count = failures.reduce((sum, [, texts]) => sum + texts.length, 0)
    const lines = failures.flatMap(([file, texts]) => [
      ...texts.slice(0, SHOWN),
      ...(texts.length > SHOWN ? [`  ${file}: and ${texts.length - SHOWN} more`] : []),
    ])
    writeFileSync(this.#to, [`${this.#passed} ${count}`, ...lines, ''].join('\n'))
  }
}
