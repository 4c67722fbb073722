import { onPreview } from '../../../machines/overlay/decide.ts'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { toldRundown, toldSchedule } from '../../../machines/overlay/told.ts'
import type { GamePlanState } from '../../schema/game-plan-state.ts'
import type { Channel, Commit } from '../channel.ts'
import type { Card, JournalRow, RecentCommands } from '../ports.ts'
import { actionOf, changeText, liveCue, liveGraphic, liveOverlay, moment, type Shown, textOf } from './change-text.ts'
import { cursorOf, type Position } from './cursor.ts'
import { LastCommand } from './last-command.ts'
import type { LiveGraphic, LiveMatch } from './live-protocol.ts'
import type { Member, Roster } from './roster.ts'
import type { Told } from './told.ts'

/** A state as its followers are first told it, with the parts that come from the journal, the match and the game plan. */
export type Beginning = {
  card: Card
  onAir: ReadonlyMap<string, Shown>
  match: LiveMatch | null
  plan: GamePlanState | null
  commands: RecentCommands
}

type Names = Readonly<NonNullable<LiveGraphic['names']>>
type NamesTold = Pick<LiveGraphic, 'graphicId' | 'seq'> & { names: Names }

/** One overlay as its followers see it, and the texts that they are told of it. */
export class LiveView {
  readonly #channel: Channel<Member>
  readonly #renderers: Roster
  #onAir = new Map<string, Shown>()
  readonly #last = new LastCommand()
  #overlay = ''
  #match = 'null'
  /** What the game plan does; empty: the overlay is gone. */
  #plan = ''
  #rendererList = '[]'
  #pictureProblems = '[]'
  /** The paints of each graphic as last told, by graphicId. */
  #painted = new Map<string, string>()
  readonly #repainted = new Set<string>()
  /** The names of records that values of graphics name, by graphicId. */
  #names = new Map<string, Names>()

  constructor(channel: Channel<Member>, renderers: Roster) {
    this.#channel = channel
    this.#renderers = renderers
  }

  begin({ card, onAir, match, plan, commands }: Beginning, early: readonly Commit[]): void {
    this.#onAir = new Map(onAir)
    this.#names.clear()
    this.#last.begin(commands)
    for (const commit of early) this.apply(commit)
    this.#overlay = JSON.stringify(liveOverlay(card))
    this.#match = JSON.stringify(match)
    this.#plan = plan ? JSON.stringify(plan) : ''
    this.#rendererList = JSON.stringify(this.#renderers.list())
    this.#pictureProblems = JSON.stringify(this.#renderers.pictureProblems())
    this.#painted = new Map(this.#graphics().map(({ graphicId, painted }) => [graphicId, JSON.stringify(painted)]))
  }

  apply(commit: Commit): void {
    const { seq, events, at } = commit
    this.#last.apply(rowOf(commit), (graphicId) => this.#onAir.get(graphicId))
    for (const event of events)
      if (event.type === 'graphic.hidden') {
        this.#onAir.delete(event.graphicId)
        this.#painted.delete(event.graphicId)
        this.#names.delete(event.graphicId)
      } else if (event.type !== 'data.refreshed') {
        const { graphic } = event
        const since = event.type === 'graphic.shown' ? at : this.#sinceOf(graphic)
        this.#onAir.set(graphic.graphicId, { graphic, seq, since, paintedAt: 0 })
        this.#painted.delete(graphic.graphicId)
        this.#names.delete(graphic.graphicId)
      }
  }

  /** Renderers came, went, said READY or came into view: all counts may be others. */
  repaintAll(): void {
    for (const graphicId of this.#onAir.keys()) this.#repainted.add(graphicId)
  }

  /** A graphic was reported on screen as of a seq. False: as of one that is not the newest. */
  repaint(graphicId: string, seq: number, at: number): boolean {
    const shown = this.#onAir.get(graphicId)
    if (!shown || seq < shown.seq) return false
    // of the nodes the one that painted first need not be the first that tells
    if (shown.paintedAt === 0 || at < shown.paintedAt) shown.paintedAt = at
    this.#repainted.add(graphicId)
    return true
  }

  get hasRepaints(): boolean {
    return this.#repainted.size > 0
  }

  /** PAINTED of the graphics whose paints changed since the last; undefined when none did. */
  paints(): string | undefined {
    const graphics: Pick<LiveGraphic, 'graphicId' | 'seq' | 'painted'>[] = []
    for (const graphicId of this.#repainted) {
      const shown = this.#onAir.get(graphicId)
      if (!shown) continue
      const painted = this.#renderers.painted(shown)
      const text = JSON.stringify(painted)
      if (this.#painted.get(graphicId) === text) continue
      this.#painted.set(graphicId, text)
      graphics.push({ graphicId, seq: shown.seq, painted })
    }
    this.#repainted.clear()
    return graphics.length > 0 ? textOf({ type: 'PAINTED', payload: { graphics } }) : undefined
  }

  get isEmpty(): boolean {
    return this.#onAir.size === 0
  }

  /** NAMES of the graphics whose records have other names than was told; undefined when none have. */
  names(namesOf: (graphic: OnAir) => Names): string | undefined {
    const graphics: NamesTold[] = []
    for (const [graphicId, { graphic, seq }] of this.#onAir) {
      const names = namesOf(graphic)
      if (JSON.stringify(this.#names.get(graphicId) ?? {}) === JSON.stringify(names)) continue
      this.#names.set(graphicId, names)
      graphics.push({ graphicId, seq, names })
    }
    return graphics.length > 0 ? textOf({ type: 'NAMES', payload: { graphics } }) : undefined
  }

  /** RENDERERS when they are not as they were told; else undefined. */
  renderers(): string | undefined {
    const text = JSON.stringify(this.#renderers.list())
    if (text === this.#rendererList) return undefined
    this.#rendererList = text
    return this.#rendererText()
  }

  /** PICTURES when they are not as they were told; else undefined. */
  pictures(): string | undefined {
    const text = JSON.stringify(this.#renderers.pictureProblems())
    if (text === this.#pictureProblems) return undefined
    this.#pictureProblems = text
    return this.#picturesText()
  }

  /** OVERLAY when it is not as it was told; else undefined. */
  overlay(card: Card): string | undefined {
    const text = JSON.stringify(liveOverlay(card))
    if (text === this.#overlay) return undefined
    this.#overlay = text
    return this.#overlayText()
  }

  /** MATCH when it is not as it was told; else undefined. */
  match(match: LiveMatch | null): string | undefined {
    const text = JSON.stringify(match)
    if (text === this.#match) return undefined
    this.#match = text
    return this.#matchText()
  }

  /** PLAN when it is not as it was told; else undefined. */
  plan(plan: GamePlanState | null): string | undefined {
    const text = plan ? JSON.stringify(plan) : ''
    if (text === this.#plan) return undefined
    this.#plan = text
    return this.#planTexts()[0]
  }

  room(): string {
    return textOf({ type: 'ROOM', payload: { controlRoomId: this.#channel.known?.card.controlRoomId ?? null } })
  }

  /** CHANGE of a commit that was applied. */
  change(commit: Commit): string {
    return changeText(this.#channel.overlayId, rowOf(commit), {
      sinceOf: (graphic) => this.#sinceOf(graphic),
      unpainted: (graphic) => this.#renderers.unpainted(graphic),
    })
  }

  /** UNDO as of now, ms since 1970. */
  undo(now: number): string {
    return textOf({ type: 'UNDO', payload: { undo: this.#last.told(now) } })
  }

  /** The state from nothing, at a time of the server, ms since 1970. */
  whole(position: Position, now: number): string[] {
    const undo = this.#last.told(now)
    return [
      this.#snapshot(position, moment(now)),
      ...(undo ? [textOf({ type: 'UNDO', payload: { undo } })] : []),
      ...(this.#pictureProblems === '[]' ? [] : [this.#picturesText()]),
      ...this.#planTexts(),
    ]
  }

  #snapshot(position: Position, serverTime: string): string {
    const { seq } = position
    const head = JSON.stringify({ cursor: cursorOf(this.#channel.overlayId, position), serverTime, seq }).slice(0, -1)
    const onAir = JSON.stringify(this.#graphics())
    const parts = `"overlay":${this.#overlay},"onAir":${onAir},"renderers":${this.#rendererList},"match":${this.#match}`
    return `{"type":"SNAPSHOT","payload":${head},${parts},${this.#beside()}}}`
  }

  /** Everything beside the changes: it may all be another since a follower was away. `now`: ms since 1970. */
  beside(now: number): string[] {
    const onAir = this.#graphics()
    const graphics = onAir.map(({ graphicId, seq, painted }) => ({ graphicId, seq, painted }))
    const named = onAir.map(({ graphicId, seq, names = {} }) => ({ graphicId, seq, names }))
    return [
      this.#overlayText(),
      this.#matchText(),
      this.#rendererText(),
      this.#picturesText(),
      ...(graphics.length > 0 ? [textOf({ type: 'PAINTED', payload: { graphics } })] : []),
      ...(named.length > 0 ? [textOf({ type: 'NAMES', payload: { graphics: named } })] : []),
      this.undo(now),
      ...this.#planTexts(),
      this.room(),
    ]
  }

  /** What is on preview and scheduled, whether it rehearses and where the rundown is: the channel has it as of the same commit. */
  #beside(): string {
    const context = this.#channel.known?.committed.context
    const preview = JSON.stringify(context ? onPreview(context).map(liveCue) : [])
    const scheduled = JSON.stringify(toldSchedule(context?.schedule))
    const rundown = JSON.stringify(toldRundown(context?.rundown))
    const rehearsal = context?.rehearsal !== undefined
    return `"preview":${preview},"scheduled":${scheduled},"rehearsal":${rehearsal},"rundown":${rundown}`
  }

  /** What its followers know beside where they are. */
  told(): Omit<Told, 'seq' | 'card'> {
    const context = this.#channel.known?.committed.context
    return {
      onAir: this.#graphics(),
      preview: context ? onPreview(context).map(liveCue) : [],
      rehearsal: context?.rehearsal !== undefined,
      renderers: this.#renderers.list(),
      match: JSON.parse(this.#match) as LiveMatch | null,
    }
  }

  #overlayText = () => `{"type":"OVERLAY","payload":{"overlay":${this.#overlay}}}`
  #planTexts = () => (this.#plan === '' ? [] : [`{"type":"PLAN","payload":${this.#plan}}`])
  #matchText = () => `{"type":"MATCH","payload":{"match":${this.#match}}}`
  #rendererText = () => `{"type":"RENDERERS","payload":{"renderers":${this.#rendererList}}}`
  #picturesText = () => `{"type":"PICTURES","payload":{"problems":${this.#pictureProblems}}}`

  #sinceOf({ graphicId }: OnAir): number {
    return this.#onAir.get(graphicId)?.since ?? 0
  }

  #graphics(): LiveGraphic[] {
    return Array.from(this.#onAir, ([graphicId, shown]) => {
      const names = this.#names.get(graphicId) ?? {}
      const told = liveGraphic(shown, this.#renderers.painted(shown))
      return Object.keys(names).length > 0 ? { ...told, names } : told
    })
  }
}

/** A commit as the journal tells it. */
function rowOf({ seq, at, events, asides, cause }: Commit): JournalRow {
  const principal = cause?.principal ?? { type: 'system' as const }
  return { seq, at, events, ...(asides && { asides }), principal, action: actionOf(cause?.command, events) }
}
