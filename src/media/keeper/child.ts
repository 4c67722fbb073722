import { openPassage, type Passage } from '../passage.ts'
import { signal } from '../pidfiles.ts'
import { sharedNow } from './clock.ts'
import type { FromKeeper, ToKeeper } from './messages.ts'

// ends what a node may not run any more, also when that node is frozen or gone

const LOOK_EACH_MS = 50
/** What was asked to end has this long: with a goodbye its far end takes the next sender at once. */
const FORCED_AFTER_MS = 300

const untils = new Map<string, number>()
const pids = new Map<number, string>()
const passages = new Map<number, { lease: string; passage: Passage | undefined }>()

const tell = (message: FromKeeper) => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
const isOver = (lease: string) => sharedNow() >= (untils.get(lease) ?? 0)

function endWhere(over: (lease: string) => boolean): void {
  for (const [pid, lease] of pids) {
    if (!over(lease)) continue
    pids.delete(pid)
    signal(pid, 'SIGTERM')
    setTimeout(() => signal(pid, 'SIGKILL'), FORCED_AFTER_MS)
  }
  for (const [id, { lease, passage }] of passages) {
    if (!over(lease)) continue
    passages.delete(id)
    passage?.cut()
  }
}

async function open({ open: id, lease, to }: Extract<ToKeeper, { open: number }>): Promise<void> {
  passages.set(id, { lease, passage: undefined })
  const passage: Passage = await openPassage(to, () =>
    tell({ passage: id, farPorts: passage.farPorts(), fault: passage.fault() ?? null }),
  )
  // its lease may have ended meanwhile
  if (!passages.has(id)) return passage.cut()
  passages.set(id, { lease, passage })
  tell({ opened: id, port: passage.port })
}

process.on('message', (message: ToKeeper) => {
  if ('until' in message) untils.set(message.lease, message.until)
  else if ('keep' in message) pids.set(message.keep, message.lease)
  else if ('forget' in message) pids.delete(message.forget)
  else if ('open' in message) open(message).catch((error) => tell({ refused: message.open, error: String(error) }))
  else {
    passages.get(message.close)?.passage?.close()
    passages.delete(message.close)
  }
})
setInterval(() => endWhere(isOver), LOOK_EACH_MS)
tell({ up: true })
process.on('disconnect', () => {
  endWhere(() => true)
  setTimeout(() => process.exit(0), 2 * FORCED_AFTER_MS)
})
// it ends with its node, after what it keeps
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {})
