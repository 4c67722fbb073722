import type { Change } from './session.ts'

type Amount = { files: number; bytes: number }

/** The progress that a push or pull tells while it works. */
export type Progress = {
  start(changes: number, files: Amount, way?: 'send' | 'fetch'): void
  did(change: Pick<Change, 'action' | 'kind' | 'name'>): void
  /** A file has gone up or come down. */
  transferred(bytes: number): void
  waiting(why: string, ms: number): void
  /** A line for people that stops nothing. */
  noted(text: string): void
  end(): void
}

/** Says nothing. */
export const silent: Progress = { start() {}, did() {}, transferred() {}, waiting() {}, noted() {}, end() {} }

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`

/** One line for each change; on a terminal a last line that counts files. */
export function reportTo(stream: { write(text: string): unknown; isTTY?: boolean }): Progress {
  const sent: Amount = { files: 0, bytes: 0 }
  let all: Amount = { files: 0, bytes: 0 }
  let live = false
  const clear = () => {
    if (live) stream.write('\r\u001b[K')
    live = false
  }
  const line = (text: string) => {
    clear()
    stream.write(`${text}\n`)
  }
  const count = () => `${sent.files} of ${all.files} files, ${kilobytes(sent.bytes)} of ${kilobytes(all.bytes)}`
  return {
    start(changes, files, way = 'send') {
      all = files
      line(`${changes} changes, ${files.files} files (${kilobytes(files.bytes)}) to ${way}`)
    },
    did: ({ action, kind, name }) => line(`${action} ${kind} ${name}`),
    transferred(bytes) {
      sent.files++
      sent.bytes += bytes
      if (!stream.isTTY) {
        // a log wants to know that it goes on, not each file
        if (sent.files % 100 === 0) line(count())
        return
      }
      clear()
      stream.write(count())
      live = true
    },
    waiting: (why, ms) => line(`${why}: trying again in ${Math.ceil(ms / 1_000)} s`),
    noted: line,
    end: clear,
  }
}
