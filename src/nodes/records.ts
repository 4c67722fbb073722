import type { FeedParts } from './feed-ports.ts'

const TOPIC = 'records'
/** Texts of this time may be lost when the bus is found to be down: a frozen Redis is noticed after 1.6 s. */
const DOUBTED_MS = 3_000
/** A notification of the database holds 8000 bytes. */
const MOST_AT_ONCE = 50

/** A ref, and the organization of a record. */
type Change = readonly [ref: string, organizationId?: number]

export type RecordsParts = Pick<FeedParts, 'bus' | 'changed' | 'fallBack' | 'log'> & {
  /** Begins each text of this node. */
  own: string
}

/** Tells other nodes which records and actors changed, so that they drop their copies. By the database while the bus is down. */
export function createRecords({ bus, changed, fallBack, log, own }: RecordsParts) {
  /** By the text of the change, when it was told; oldest first. */
  const recent = new Map<string, number>()
  let gathered = new Set<string>()

  const textsOf = (changes: readonly string[]): string[] => {
    const texts: string[] = []
    for (let at = 0; at < changes.length; at += MOST_AT_ONCE)
      texts.push(`${own}"records":[${changes.slice(at, at + MOST_AT_ONCE).join()}]}`)
    return texts
  }

  const forgetOld = (now: number) => {
    for (const [change, at] of recent) {
      if (at > now - DOUBTED_MS) break
      recent.delete(change)
    }
  }

  const send = () => {
    const texts = textsOf([...gathered])
    gathered = new Set()
    for (const text of texts)
      if (bus.isUp()) bus.publish(TOPIC, text)
      else fallBack(text)
  }

  const hear = (text: string): void => {
    if (text.startsWith(own)) return
    try {
      const { records }: { records: Change[] } = JSON.parse(text)
      for (const [ref, organizationId] of records) changed(ref, organizationId)
    } catch (error) {
      log.warn({ err: error }, 'changes that another node told could not be taken')
    }
  }
  const leave = bus.subscribe(TOPIC, hear)
  // texts that just went to the bus may not have arrived
  bus.onDown(() => {
    forgetOld(performance.now())
    for (const text of textsOf([...recent.keys()])) fallBack(text)
  })

  return {
    hear,
    tell(ref: string, organizationId?: number): void {
      const change = JSON.stringify(organizationId === undefined ? [ref] : [ref, organizationId])
      const now = performance.now()
      forgetOld(now)
      recent.delete(change)
      recent.set(change, now)
      // those of one turn of the loop go together, each once
      if (gathered.size === 0) setImmediate(send)
      gathered.add(change)
    },
    close: leave,
  }
}
