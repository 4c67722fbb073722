import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { shared } from './keeper/clock.ts'
import type { FromKeeper, ToKeeper } from './keeper/messages.ts'
import type { Passage, PassageTo } from './passage.ts'
import type { MediaLeases } from './ports.ts'

/** Ends what runs under a lease of this node when that is over, whatever this process does by then. */
export interface Keeper {
  /** The leader of a process group. */
  keep(pid: number, lease: string): void
  forget(pid: number): void
  /** Held by the keeper, since a far end would see the connection of a frozen process go on. */
  openPassage(to: PassageTo, lease: string): Promise<Passage>
  close(): void
}

type Held = {
  lease: string
  farPorts: readonly number[]
  fault: string | undefined
  resolve(port: number): void
  reject(error: Error): void
}

/** A lease is renewed each second, for three. */
const TOLD_EACH_MS = 200
/** From one start to the next. */
const AGAIN_MS = 500

// a test runs the sources, but a process needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/media/keeper/child.js' : './keeper/child.js',
  import.meta.url,
)

/** A process of its own, from the first thing on that it is to keep; one that ends is started again. */
export function createKeeper({ lease: find }: MediaLeases, log: { warn(fields: object, text: string): void }): Keeper {
  const pids = new Map<number, string>()
  const passages = new Map<number, Held>()
  const told = new Map<string, number>()
  let child: ChildProcess | undefined
  let telling: NodeJS.Timeout | undefined
  let lastId = 0
  let since = 0
  /** The keeper listens; until then what it is to do waits here. */
  let isUp = false
  const early: ToKeeper[] = []
  let closed = false

  const send = (message: ToKeeper) => {
    if (!isUp) early.push(message)
    else if (child?.connected) child.send(message, () => {})
  }
  const tellUntil = (lease: string) => {
    // to a keeper that takes seconds to start, what was so when it was started would have ended since
    if (!isUp) return
    const until = shared(find(lease)?.until ?? Number.NEGATIVE_INFINITY)
    // JSON knows no infinity
    const at = Number.isFinite(until) ? until : 0
    if (told.get(lease) === at) return
    told.set(lease, at)
    send({ lease, until: at })
  }
  const tellAll = () => {
    const used = new Set([...pids.values(), ...[...passages.values()].map(({ lease }) => lease)])
    for (const lease of told.keys()) if (!used.has(lease)) told.delete(lease)
    for (const lease of used) tellUntil(lease)
  }

  const heard = (message: FromKeeper) => {
    if ('up' in message) {
      isUp = true
      tellAll()
      for (const waiting of early.splice(0)) send(waiting)
    } else if ('opened' in message) passages.get(message.opened)?.resolve(message.port)
    else if ('refused' in message) {
      passages.get(message.refused)?.reject(new Error(message.error))
      passages.delete(message.refused)
    } else {
      const held = passages.get(message.passage)
      if (held) Object.assign(held, { farPorts: message.farPorts, fault: message.fault ?? undefined })
    }
  }

  const begin = () => {
    if (child || closed) return
    const started = spawn(process.execPath, [fileURLToPath(MODULE)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // nothing of the settings of the server, and no signal that is meant for it
      env: {},
      detached: true,
    })
    started.unref()
    started.channel?.unref()
    started.on('message', (message: FromKeeper) => child === started && heard(message))
    // one that could not be started has no exit
    started.on('error', (error) => started.pid === undefined && ended(started, { err: error }))
    started.once('exit', (code, signal) => ended(started, { code, signal }))
    child = started
    since = performance.now()
    telling ??= setInterval(tellAll, TOLD_EACH_MS)
    telling.unref()
  }

  const ended = (one: ChildProcess, how: object) => {
    if (child !== one) return
    child = undefined
    isUp = false
    early.length = 0
    told.clear()
    // its passages are gone with it: who used them is told by the end of the connection
    for (const { reject } of passages.values()) reject(new Error('the keeper ended'))
    passages.clear()
    if (closed) return
    log.warn(how, 'the keeper of media processes ended, and is started again')
    // one that cannot run is not tried in a loop
    setTimeout(keepAll, Math.max(0, since + AGAIN_MS - performance.now())).unref()
  }

  const keepAll = () => {
    for (const [pid, lease] of pids) keep(pid, lease)
  }

  const keep = (pid: number, lease: string) => {
    begin()
    pids.set(pid, lease)
    tellUntil(lease)
    send({ keep: pid, lease })
  }

  return {
    keep,
    forget(pid) {
      if (pids.delete(pid)) send({ forget: pid })
    },
    async openPassage(to, lease) {
      begin()
      const id = ++lastId
      const port = await new Promise<number>((resolve, reject) => {
        passages.set(id, { lease, farPorts: [], fault: undefined, resolve, reject })
        tellUntil(lease)
        send({ open: id, lease, to })
      })
      const held = passages.get(id)
      return {
        port,
        fault: () => held?.fault,
        farPorts: () => held?.farPorts ?? [],
        close() {
          passages.delete(id)
          send({ close: id })
        },
        cut() {
          passages.delete(id)
          send({ close: id })
        },
      }
    },
    close() {
      closed = true
      clearInterval(telling)
      if (child?.connected) child.disconnect()
    },
  }
}
