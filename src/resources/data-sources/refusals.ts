import { invalid } from '../../errors.ts'
import { Unreadable } from '../../parsing/problem.ts'

/** Runs a job; what is wrong with what was sent becomes a 400 that names every place. */
export async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const places = error.problems.map(({ at, ...problem }) => [at === '' ? 'body' : `body.${at}`, problem] as const)
    // the first that was found of a place, all in the order of what was sent
    throw invalid({ ...Object.fromEntries(places), ...Object.fromEntries(places.reverse()) })
  }
}
