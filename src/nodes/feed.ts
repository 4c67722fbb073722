import { setTimeout as pause } from 'node:timers/promises'
import { createLookUps } from '../store/look-ups.ts'
import { within } from '../waiting/within.ts'
import { createAnnouncements } from './announcements.ts'
import type { Commit, FeedParts } from './feed-ports.ts'
import { createRecords } from './records.ts'
import { LONGEST_GAP, Sequence } from './sequence.ts'

/** Live data that was read in this time before the bus was found to be down may be older than it looks. */
const DOUBTED_MS = 3_000
const GAPS_PER_STATEMENT = 100
const ASK_AGAIN_MS = 100
const ASKED_MS = 1_000

/** An overlay that somebody looks at on this node. */
type Open = { sequence: Sequence; organizationId: number; touchedAt: number; leave(): void }

/**
 * Puts the commits of all nodes into order for the sockets of this one: those of this node and those that the bus brings go the same way,
 * and what is missing between them comes from the journal. Other nodes hear each commit of this one. cluster 4
 */
export class Feed {
  readonly #parts: FeedParts
  /** Begins each text of this node, since the bus brings them back. */
  readonly #own: string
  readonly #open = new Map<number, Open>()
  readonly #records: ReturnType<typeof createRecords>
  readonly #announce: (commit: Commit, organizationId: number) => void
  readonly #seqOf: (overlayId: number) => Promise<number | undefined>
  /** Overlays with a gap. */
  readonly #lacking = new Set<number>()
  #filling: Promise<void> | undefined
  #suspended = false
  #resuming: Promise<void> | undefined
  #repaired = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#own = `{"from":${JSON.stringify(parts.nodeId)},`
    this.#records = createRecords({ ...parts, own: this.#own })
    this.#announce = createAnnouncements(parts.announced)
    this.#seqOf = createLookUps(async (overlayIds) => {
      // a connection that is cut may never answer, and those who ask next would wait behind it
      const seqs = await within(ASKED_MS, parts.journal.seqs(overlayIds), () => new Error('no answer in time'))
      return overlayIds.map((overlayId) => seqs.get(overlayId) ?? 0)
    })
    parts.bus.onDown(() => this.#doubt())
    parts.bus.onUp(() => parts.missedChanges())
  }

  /** Commits that came from the journal instead of the bus, and states read anew. */
  get repaired(): number {
    return this.#repaired
  }

  /** A commit of this node, of any actor: in the order of its seqs. Never throws for the bus. */
  committed(ref: string, commit: Commit): void {
    if (!ref.startsWith('overlay/')) {
      this.changed(ref)
      return
    }
    if (!this.#mayPush()) return
    const overlayId = Number(ref.slice('overlay/'.length))
    this.#take(overlayId, commit)
    if (this.#parts.hasOthers?.() ?? true)
      this.#parts.bus.publish(ref, this.#own + JSON.stringify({ ref, ...commit }).slice(1))
  }

  /** A record or actor was changed by this node, which knows it already. */
  changed(ref: string, organizationId?: number): void {
    this.#records.tell(ref, organizationId)
  }

  /** A text that another node sent by the database while its bus was down. */
  hear(text: string): void {
    this.#records.hear(text)
  }

  /** An overlay has its first socket here; its state is being read. */
  opened(overlayId: number): void {
    const { bus } = this.#parts
    const topic = `overlay/${overlayId}`
    const leave = this.#open.get(overlayId)?.leave ?? bus.subscribe(topic, (text) => this.#heard(overlayId, text))
    this.#open.set(overlayId, { sequence: new Sequence(), organizationId: 0, touchedAt: 0, leave })
  }

  /** The state of the overlay was read, and its sockets stand at this seq. */
  read(overlayId: number, seq: number, organizationId: number): void {
    const open = this.#open.get(overlayId)
    if (!open) return
    open.organizationId = organizationId
    open.touchedAt = performance.now()
    this.#handOn(overlayId, open, open.sequence.stands(seq))
  }

  closed(overlayId: number): void {
    this.#open.get(overlayId)?.leave()
    this.#open.delete(overlayId)
    this.#lacking.delete(overlayId)
  }

  /**
   * Resolves when the sockets of the overlay stand where the database does now or further on, or are gone; a state that is being read is as
   * new. While the database does not answer nobody knows, and it waits.
   */
  async current(overlayId: number): Promise<void> {
    const open = this.#open.get(overlayId)
    while (open && this.#open.get(overlayId) === open) {
      const seq = await this.#seqOf(overlayId).catch(() => undefined)
      const position = () => open.sequence.position ?? Number.POSITIVE_INFINITY
      if (seq !== undefined && position() < seq) await this.reached(new Map([[overlayId, seq]]))
      if (seq !== undefined && position() >= seq && !this.#suspended) return
      await pause(ASK_AGAIN_MS, undefined, { ref: false })
    }
  }

  /** The overlays whose state was read, with the seq at which their sockets stand. */
  positions(): Map<number, number> {
    const positions = new Map<number, number>()
    for (const [overlayId, { sequence }] of this.#open)
      if (sequence.position !== undefined) positions.set(overlayId, sequence.position)
    return positions
  }

  /** The database has these seqs. Resolves when the overlays that were behind are not, as far as the journal can be read. */
  async reached(seqs: ReadonlyMap<number, number>): Promise<void> {
    for (const [overlayId, seq] of seqs) {
      const sequence = this.#open.get(overlayId)?.sequence
      sequence?.exists(seq)
      if (sequence?.gap) this.#lacking.add(overlayId)
    }
    await this.#filled()
  }

  /** The database has an older state than this node saw: a primary without the last commits took over. */
  fell(overlayId: number): void {
    this.#reload(overlayId, 'an overlay fell back in the database')
  }

  /** This node is not live: nothing is pushed or published from now on. */
  suspended(): void {
    this.#suspended = true
  }

  /** This node is live again. Sockets of overlays that moved meanwhile are closed, the others go on. Resolves when that is done, or failed. */
  resumed(): Promise<void> {
    this.#resuming ??= this.#resume().finally(() => {
      this.#resuming = undefined
    })
    return this.#resuming
  }

  get isSuspended(): boolean {
    return this.#suspended
  }

  close(): void {
    for (const overlayId of [...this.#open.keys()]) this.closed(overlayId)
    this.#records.close()
  }

  /** Also finds out that this process stood still: then its timers have not yet told. */
  #mayPush(): boolean {
    if (!this.#suspended && !this.#parts.isLive()) this.#suspended = true
    return !this.#suspended
  }

  async #resume(): Promise<void> {
    if (!this.#suspended) return
    const before = this.positions()
    try {
      const seqs = await this.#parts.journal.seqs([...before.keys()])
      for (const [overlayId, position] of before)
        if ((seqs.get(overlayId) ?? 0) > position) this.#parts.sockets.closeMissed(overlayId)
      this.#suspended = false
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'what this node missed is not known, and nothing is pushed')
    }
  }

  #heard(overlayId: number, text: string): void {
    if (text.startsWith(this.#own) || !this.#mayPush()) return
    try {
      const { seq, at, events, asides, cause }: Commit = JSON.parse(text)
      this.#take(overlayId, { seq, at, events, ...(asides && { asides }), cause })
    } catch (error) {
      this.#parts.log.warn({ overlayId, err: error }, 'a commit of another node could not be taken')
    }
  }

  #take(overlayId: number, commit: Commit): void {
    const open = this.#open.get(overlayId)
    if (open) this.#handOn(overlayId, open, open.sequence.take(commit))
  }

  #handOn(overlayId: number, open: Open, commits: readonly Commit[]): void {
    if (commits.length > 0) open.touchedAt = performance.now()
    for (const commit of commits) {
      this.#announce(commit, open.organizationId)
      this.#parts.sockets.publish(overlayId, commit)
    }
    if (!open.sequence.gap) return
    this.#lacking.add(overlayId)
    void this.#filled()
  }

  /** One read at a time, for all overlays with a gap by then. */
  #filled(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
      // a gap that came between the last look and now
      if (this.#lacking.size > 0 && this.#mayPush()) void this.#filled()
    })
    return this.#filling
  }

  async #fill(): Promise<void> {
    // gaps of one turn of the loop are read together
    await new Promise(setImmediate)
    while (this.#lacking.size > 0 && this.#mayPush()) {
      const lacking = [...this.#lacking].slice(0, GAPS_PER_STATEMENT)
      for (const overlayId of lacking) this.#lacking.delete(overlayId)
      const gaps = lacking.flatMap((overlayId) => {
        const gap = this.#open.get(overlayId)?.sequence.gap
        if (gap && gap.count > LONGEST_GAP) this.#reload(overlayId, 'too many commits were missed')
        return gap && gap.count <= LONGEST_GAP ? [{ overlayId, ...gap }] : []
      })
      if (gaps.length === 0) continue
      try {
        const found = await this.#parts.journal.missing(gaps)
        if (!this.#mayPush()) return
        for (const gap of gaps) this.#close(gap.overlayId, gap.from + gap.count - 1, found.get(gap.overlayId) ?? [])
      } catch (error) {
        // the repair tries again
        this.#parts.log.warn({ err: error }, 'missed commits could not be read')
      }
    }
  }

  /** Takes the commits of a gap up to a seq. */
  #close(overlayId: number, upTo: number, found: readonly Commit[]): void {
    for (const commit of found) {
      const before = this.#open.get(overlayId)?.sequence.position ?? 0
      this.#take(overlayId, commit)
      if ((this.#open.get(overlayId)?.sequence.position ?? 0) > before) this.#repaired++
    }
    const position = this.#open.get(overlayId)?.sequence.position
    if (position !== undefined && position < upTo) this.#reload(overlayId, 'missed commits are not in the journal')
  }

  /** Live data read a moment ago may be older than a change that the bus lost. */
  #doubt(): void {
    const since = performance.now() - DOUBTED_MS
    for (const [overlayId, { touchedAt }] of this.#open)
      if (touchedAt > since) this.#reload(overlayId, 'the bus went down while it was being read')
  }

  #reload(overlayId: number, why: string): void {
    const open = this.#open.get(overlayId)
    if (!open) return
    this.#repaired++
    this.#parts.log.warn({ overlayId, seq: open.sequence.position }, `${why}, reading it anew`)
    open.sequence.waits()
    this.#parts.sockets.reload(overlayId)
  }
}
