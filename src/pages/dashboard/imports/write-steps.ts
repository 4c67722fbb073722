import { newKey } from '../../ui/new-key.ts'
import { Refusal } from '../../ui/refusal.ts'
import type { Step } from './judged.ts'

const PAUSE_MS = 2_000

/** How far an import is: `waits` while the server is out of reach or busy. */
export type Progress = { written: number; of: number; waits: boolean }

/** Why it ended before its end: nothing of `lines` was written, and everything of `written` was. */
export type Stopped = { written: number; of: number; lines: string; reason: string; faults: readonly string[] }

type Ports = {
  send(step: Step, key: string): Promise<unknown>
  onProgress(progress: Progress): void
  /** Nobody looks any more: what is not sent yet stays unsent. */
  isOver(): boolean
  pause?(): Promise<unknown>
  titleOf?(field: string): string
}

/**
 * Sends the steps one after the other, each with an Idempotency-Key that stays the same however often it is sent: one whose answer was
 * lost is sent again until it is answered, and is done once. Resolves with what stopped it; undefined when all is written.
 */
export async function writeSteps(steps: readonly Step[], ports: Ports): Promise<Stopped | undefined> {
  const { send, onProgress, isOver, pause = aWhile, titleOf = (field) => field } = ports
  const of = steps.reduce((sum, { lines }) => sum + lines.length, 0)
  let written = 0
  for (const step of steps) {
    const key = newKey()
    for (;;) {
      if (isOver()) return undefined
      onProgress({ written, of, waits: false })
      try {
        await send(step, key)
        break
      } catch (error) {
        if (!mayComeRight(error)) return { written, of, ...told(error, step, titleOf) }
        onProgress({ written, of, waits: true })
        await pause()
      }
    }
    written += step.lines.length
  }
  return undefined
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

/** Out of reach, too many requests, or busy. */
const mayComeRight = (error: unknown) => error instanceof Refusal && [0, 429, 502, 503, 504].includes(error.status)

/** The reasons of the server, by the line of the file and its column. */
function told(error: unknown, { lines }: Step, titleOf: (field: string) => string) {
  const details = error instanceof Refusal ? Object.entries(error.details) : []
  const faults = details.map(([path, { message }]) => {
    const [, at, field] = /^body\.\w+\[(\d+)\]\.?(\w*)/.exec(path) ?? []
    if (at === undefined) return `Line ${lines[0]}: ${message}`
    return `Line ${lines[Number(at)]}: ${field ? `${titleOf(field)}: ` : ''}${message}`
  })
  const [first, last] = [lines[0], lines.at(-1)]
  return {
    lines: first === last ? `Line ${first}` : `Lines ${first} to ${last}`,
    reason: error instanceof Refusal ? error.message : 'Something went wrong in this page. Load it again.',
    faults,
  }
}
