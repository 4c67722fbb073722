import type { OnAir } from '../../../machines/overlay/model.ts'
import { toldBy } from '../../../machines/overlay/told.ts'
import { graphicOf, isOfSomebody, touchesOf, UNDO_SECONDS, undoable } from '../../../machines/overlay/undo.ts'
import type { RecentCommands } from '../ports.ts'
import { isAction, iso, moment } from './change-text.ts'
import type { LiveUndo } from './live-protocol.ts'

type Recent = RecentCommands['recent'][number]
type Before = RecentCommands['before']

/** What an undo would do, folded from the commits of an overlay. */
export class LastCommand {
  /** The last command of somebody and what came after it, the newest first. */
  #recent: readonly Recent[] = []
  /** The graphics that it touched as they were before it. */
  #before: Before = new Map()

  begin({ recent, before }: RecentCommands): void {
    this.#recent = recent
    this.#before = before
  }

  /** `before`: a graphic as it is on air before the commit. */
  apply(commit: Recent, before: (graphicId: string) => { graphic: OnAir; since: number } | undefined): void {
    if (commit.action === 'rehearse') {
      // over its beginning and its end nothing is undone
      this.#recent = []
      return
    }
    if (touchesOf(commit).length === 0) return
    if (!isOfSomebody(commit)) {
      this.#recent = [commit, ...this.#recent]
      // whatever comes now, it stays touched
      if (!undoable(this.#recent)) this.#recent = []
      return
    }
    this.#recent = [commit]
    this.#before = new Map(
      touchesOf(commit).flatMap((touch) => {
        const { graphicId } = graphicOf(touch)
        const was = before(graphicId)
        return was ? [[graphicId, { graphic: was.graphic, until: until(was.graphic, was.since) }]] : []
      }),
    )
  }

  /** Null: there is nothing to undo. `now`: ms since 1970. */
  told(now: number): LiveUndo | null {
    const last = undoable(this.#recent)
    if (!last) return null
    const { command, touches } = last
    const untilMs = command.at + UNDO_SECONDS * 1000
    if (untilMs <= now || !isAction(command.action)) return null
    const hides: LiveUndo['hides'] = []
    const restores: LiveUndo['restores'] = []
    for (const touch of touches) {
      const { graphicId, graphicName, presetId, sectionId } = graphicOf(touch)
      const was = this.#before.get(graphicId)
      // a journal that does not hold it any more
      if (!was && (touch.was !== undefined || touch.type === 'graphic.hidden')) return null
      if (was && (was.until === undefined || was.until > now)) {
        const { graphic } = was
        restores.push({
          ...{ graphicId, graphicName: graphic.graphicName, presetId: graphic.presetId, sectionId: graphic.sectionId },
          until: iso(was.until ?? 0),
        })
      } else if (touch.type !== 'graphic.hidden') hides.push({ graphicId, graphicName, presetId, sectionId })
    }
    if (hides.length + restores.length === 0) return null
    const { seq, action, principal } = command
    return { seq, action, by: toldBy(principal), until: moment(untilMs), hides, restores }
  }
}

/** When the time of a graphic is up, ms since 1970; undefined: it stays, or it is not known since when it is on air. */
const until = ({ durationSeconds }: OnAir, since: number): number | undefined =>
  durationSeconds === undefined || since === 0 ? undefined : since + durationSeconds * 1000
