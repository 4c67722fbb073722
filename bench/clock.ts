const tries = Array.from({ length: 100 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now())
// a try is too small by the time between its two readings, and the thread may be put off the core there
const offsetMs = Math.max(...tries)

/** Milliseconds of the machine's monotonic clock: the same in every thread and process of one machine. */
export const now = (): number => performance.now() + offsetMs

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves once `holds` does, looking every `everyMs`; rejects after `timeoutMs` with the text `what`. */
export async function until(what: string, timeoutMs: number, everyMs: number, holds: () => boolean | Promise<boolean>) {
  const deadline = now() + timeoutMs
  while (!(await holds())) {
    if (now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await sleep(everyMs)
  }
}
