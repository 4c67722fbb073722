import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { nodeUrl } from '../node-url.ts'
import type { Listener } from '../store/listen.ts'
import { migrationFiles } from '../store/migrate.ts'
import { connectDatabase } from '../store/postgres.ts'
import { atOwner } from './at-owner.ts'
import { openRedisBus } from './bus-redis.ts'
import type { Figures } from './holding.ts'
import type { JoinedNode } from './joined.ts'
import type { Counts, LiveNode } from './leases.ts'
import type { LinkHandler } from './links/answering.ts'
import { openLinks } from './links/open.ts'
import { Member } from './member.ts'
import type { Ownership } from './ownership.ts'
import { Pace } from './pace.ts'
import { Reach } from './reach.ts'
import { openService } from './service.ts'
import { slotOf } from './slots.ts'
import { heardOverLink, toldOverLink } from './told-error.ts'
import { WORKS_BESIDE } from './versions.ts'

/** The rest of the process, as its node calls it. */
export type NodeHost = {
  /** Another node will own these actors: finishes the commands that it took, and lets them go. `owns` says no already. */
  letGo(gone: (ref: string) => boolean, withinMs: number): Promise<void>
  counts(): Counts
  /** Other nodes will hand over these actors: gets ready to command them. */
  prepare?(mine: (ref: string) => boolean): Promise<void>
  /** Slots came or went. */
  moved?(): void
  /** Slots came, with these actors. */
  taken?(came: (ref: string) => boolean): void
}

export type OpenNode = JoinedNode & {
  /** Opens the listener for other nodes, and takes this node's share from now on. Throws one line. */
  join(host: NodeHost): Promise<void>
  nodes(): readonly LiveNode[]
  figures(): Figures & { readonly forwarded: number }
  /** Hands over the slots that this node owns; it goes on to forward. */
  leave(): Promise<void>
  close(): Promise<void>
}

export type NodeOptions = {
  /** The id of the node: random, anew at each start. */
  id: string
  databaseUrl: string
  redisUrl: string
  listener: Listener
  /** Where other nodes reach this one; undefined: this host by its name, and `port`. */
  url: string | undefined
  host: string
  /** 0: a free one. */
  port: number
  version: string
  log: Logger
  /** This node must not serve any more; the message is one line. */
  onMustLeave(message: string): void
}

const PING_MS = 1_000

/** Within the second that a command may wait while its actor moves. */
const FINISH_WITHIN_MS = 900

/** One connection, for the beats of this node alone. */
const connect = (url: string) => () =>
  connectDatabase(url, { connections: 1, idleSeconds: null, statementTimeoutMs: 1_500, applicationName: 'tally:beat' })
    .sql

/** Opens this process as a node of a service; it owns nothing before it joins. */
export async function openNode(options: NodeOptions): Promise<OpenNode> {
  const { id, databaseUrl, listener, host, port, version, log, onMustLeave } = options
  const open = connect(databaseUrl)
  const first = open()
  const service = await openService(first).finally(() => first.end({ timeout: 1 }).catch(() => {}))
  const bus = openRedisBus({ url: options.redisUrl, serviceId: service.id, log })
  const handlers = new Map<string, LinkHandler>()
  let forwarded = 0
  let member: Member | undefined
  const links = openLinks({
    id,
    service: service.id,
    secret: () => service.linkSecret,
    host,
    port,
    log,
    handlers,
  })
  const pace = new Pace((node) => links.waitsMs(node))
  const reach = new Reach((node) => links.ask(node, 'ping', null, undefined, PING_MS))
  handlers.set('ping', async () => undefined)
  let pinging: NodeJS.Timeout | undefined
  const others = () => (member?.nodes ?? []).filter((other) => other.id !== id)
  const lookAround = () => {
    reach.look(others())
    pace.keep(others())
  }
  const ownership: Ownership & { refresh(): void } = {
    owns: (ref) => member?.owns(ref) ?? false,
    lease: (ref) => member?.lease(ref),
    ownerOf: (ref) => member?.ownerOf(ref),
    get isLive() {
      return member?.isLive ?? false
    },
    get isCutOff() {
      return member?.isCutOff ?? false
    },
    refresh: () => member?.refreshSoon(),
  }

  return {
    id,
    ownership,
    hasOthers: () => (member?.nodes.length ?? 0) > 1,
    bus,
    atOwner(ref, ways, notMine) {
      const there: typeof ways.there = (...asked) => {
        forwarded++
        return ways.there(...asked)
      }
      return atOwner(ownership, ref, { here: ways.here, there }, notMine)
    },
    note: (node, kind, head) => links.note(node, kind, head),
    async ask(node, kind, head, body, withinMs) {
      try {
        return await links.ask(node, kind, head, body, withinMs)
      } catch (error) {
        throw heardOverLink(error)
      }
    },
    answer(kind, handler) {
      handlers.set(kind, async (head, body, from) => {
        try {
          return await handler(head, body, from)
        } catch (error) {
          throw toldOverLink(error)
        }
      })
    },
    async join({ letGo, counts, prepare, moved, taken }) {
      const own = await links.listen().catch((error: Error) => {
        throw new Error(`NODE_PORT: ${error.message}`)
      })
      const known = await migrationFiles()
      const ofSlots = (slots: readonly number[]) => {
        const gone = new Set(slots)
        return (ref: string) => gone.has(slotOf(ref))
      }
      member = await Member.join({
        id,
        url: options.url ?? nodeUrl({ host: hostname(), port: own }),
        version,
        knows: known.at(-1) ?? '',
        worksBeside: WORKS_BESIDE,
        connect: open,
        listener,
        log,
        counts,
        ...(prepare && { prepare: (slots) => prepare(ofSlots(slots)) }),
        cutOffFrom: (beatenAt) => reach.cutOffFrom(beatenAt),
        isSlow: (node) => pace.isSlow(node),
        async onRelease(slots) {
          moved?.()
          await letGo(ofSlots(slots), FINISH_WITHIN_MS)
        },
        onLost(slots) {
          void letGo(ofSlots(slots), 0)
          moved?.()
        },
        onTaken(slots) {
          moved?.()
          taken?.(ofSlots(slots))
        },
        onMustLeave,
      })
      pinging = setInterval(lookAround, PING_MS)
      pinging.unref()
      lookAround()
    },
    others,
    nodes: () => member?.nodes ?? [],
    figures: () => ({ ...(member?.figures ?? { slotsOwned: 0, takeovers: 0 }), forwarded }),
    leave: async () => member?.leave(),
    async close() {
      clearInterval(pinging)
      await member?.close()
      await Promise.all([links.close(), bus.close()])
    },
  }
}
