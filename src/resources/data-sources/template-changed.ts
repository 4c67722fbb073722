import { unavailable } from '../../errors.ts'

/** A template was changed while sent rows were read with its options or held against its schema. */
export class TemplateChanged extends Error {}

const ATTEMPTS = 3

/** Runs a write that reads a template first and locks it last, again each time it throws TemplateChanged. Throws unavailable. */
export async function untilUnchanged<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof TemplateChanged)) throw error
    }
  }
  throw unavailable()
}
