import type { z } from 'zod'
import { decide, type GraphicChange, type Unnumbered } from '../../../machines/overlay/decide.ts'
import { fold } from '../../../machines/overlay/events.ts'
import { ApiError, type FieldErrors, invalid } from '../../errors.ts'
import { type Asked, decideChange } from './graphic-change.ts'
import type { BatchedCommand } from './graphics.schema.ts'

/** Each command as if those before it were done. Throws what refuses the first one that cannot be, which it names. */
export async function decideBatch(
  under: Omit<Asked, 'command'>,
  given: readonly z.output<typeof BatchedCommand>[],
): Promise<Unnumbered> {
  const commands: GraphicChange[] = []
  let { state } = under
  for (const [index, command] of given.entries()) {
    const change = await naming(index, async () => decideChange({ ...under, command, state }))
    commands.push(change)
    // only to see what is on air then: the seq is given to the whole later
    state = decide(state, { seq: 0, ...change }).reduce(fold, state)
  }
  return { type: 'batch', commands }
}

async function naming<T>(index: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error
    const place = `body.commands[${index}]`
    const details = Object.entries((error.body.details ?? {}) as FieldErrors).map(
      ([path, field]) => [path.replace(/^body/, place), field] as const,
    )
    throw invalid(
      details.length > 0 ? Object.fromEntries(details) : { [place]: { message: error.message } },
      error.status === 400 ? error.message : undefined,
    )
  }
}
