import { type FieldErrors, invalid } from '../errors.ts'
import { Unreadable } from './problem.ts'

/** Runs a job; the faults of a file or value become a 400 that names every place, in the order of the text. */
export async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const details: FieldErrors = {}
    // the first that was found of a place
    for (const { at, ...problem } of error.problems) details[at === '' ? 'body' : `body.${at}`] ??= problem
    throw invalid(details)
  }
}
