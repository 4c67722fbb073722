/** One fault of a file or value that was sent: `at` is its place below `body`, such as `rows[3].points`. */
export type Problem = { at: string; message: string; value?: string | number | boolean | null }

/** How many of them are told: a wrong column of a long table is wrong in every row. */
export const MAX_PROBLEMS = 100

/** The file or value cannot be read, for reasons that its sender can do something about. */
export class Unreadable extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ at, message }) => `${at}: ${message}`).join('; '))
    this.problems = problems.slice(0, MAX_PROBLEMS)
  }
}

export const unreadable = (at: string, message: string) => new Unreadable([{ at, message }])
