import { useEffect, useState } from 'react'
import type { LiveCue } from '../../realtime/followers/live-protocol.ts'
import type { Live } from '../live/follow.ts'
import { localNow } from '../shared/server-time.ts'
import { type Aim, type Planned, targetOf } from './desk.ts'
import { handedOver, NO_DRAFT, overrides, sent, unsent, valuesOf } from './drafts.ts'
import type { Preset, Values } from './model.ts'
import type { Command, Send } from './use-commands.ts'
import type { Drafts, useDrafts } from './use-drafts.ts'

/** Cues and takes go one after another, so that no take overtakes the cue that it is for. */
const LINE = 'preview'
/** Nobody remembers for longer that the next press goes on air. */
const CUT_WITHIN_MS = 10_000

/** Preview, take, undo and schedule, as operators work with them. */
export function usePreview(
  live: Live,
  send: Send,
  {
    drafts,
    change,
    shownOf,
  }: { drafts: Drafts; shownOf(preset: Preset): Aim | undefined } & Pick<ReturnType<typeof useDrafts>, 'change'>,
) {
  const [cutNext, setCutNext] = useState(false)
  useEffect(() => {
    if (!cutNext) return
    const timer = window.setTimeout(() => setCutNext(false), CUT_WITHIN_MS)
    return () => window.clearTimeout(timer)
  }, [cutNext])

  const cueOf = ({ id, graphicId }: Preset): LiveCue | undefined => {
    const cue = live.preview.get(graphicId)
    return cue?.presetId === id ? cue : undefined
  }
  const aimOf = (preset: Preset): Aim | undefined => {
    const cue = cueOf(preset)
    return cue ? { graphic: cue, base: cue.variableValues } : shownOf(preset)
  }
  const draftOf = ({ id }: Preset) => drafts.get(id) ?? NO_DRAFT
  const valuesToSend = (preset: Preset) => valuesOf(preset, draftOf(preset), aimOf(preset)?.base)
  const sendOf = (preset: Preset, command: Command, values: Values, line: string) =>
    void send(targetOf.preset(preset.id), command, line).then((done) => {
      if (done) change(preset.id, (now) => sent(now, values))
    })

  return {
    cueOf,
    aimOf,
    cutNext,
    setCutNext,
    /** Puts a preset on preview, or its changed values. */
    cue(preset: Preset) {
      const aim = cueOf(preset) && aimOf(preset)
      if (aim && unsent(preset, draftOf(preset), aim).length === 0) return
      const values = valuesToSend(preset)
      const variableValues = overrides(preset, values)
      sendOf(preset, { action: 'cue', presetId: preset.id, variableValues }, values, LINE)
    },
    /** Puts one that is on preview straight on air, alone; false: it is not there. */
    cutCued(preset: Preset): boolean {
      const aim = cueOf(preset) && aimOf(preset)
      if (!aim) return false
      const { id: presetId } = preset
      const values = valuesToSend(preset)
      if (unsent(preset, draftOf(preset), aim).length === 0) sendOf(preset, { action: 'take', presetId }, values, LINE)
      else {
        const variableValues = overrides(preset, values)
        const commands = [
          { action: 'show', presetId, variableValues },
          { action: 'uncue', presetId },
        ] as const
        sendOf(preset, { action: 'batch', commands }, values, LINE)
      }
      return true
    },
    /** Left out: everything. */
    uncue(presetId?: number) {
      if (live.preview.size === 0) return
      void send(targetOf.cue(presetId), { action: 'uncue', ...(presetId !== undefined && { presetId }) }, LINE)
    },
    take() {
      if (live.preview.size > 0) void send(targetOf.take, { action: 'take' }, LINE)
    },
    undo() {
      const { undo } = live
      if (!undo || Date.parse(undo.until) <= localNow() + live.serverOffsetMs) return
      void send(targetOf.undo, { action: 'undo', seq: undo.seq })
    },
    /** True once it is scheduled. */
    async plan({ action, preset, at, durationSeconds }: Planned): Promise<boolean> {
      const timed = { at, ...(durationSeconds !== undefined && { durationSeconds }) }
      if (!preset) return send(targetOf.schedule, { action: 'take', ...timed })
      const { id: presetId } = preset
      if (action === 'hide') return send(targetOf.schedule, { action, presetId, at })
      if (action === 'take') return send(targetOf.schedule, { action, presetId, ...timed })
      const values = valuesToSend(preset)
      const variableValues = overrides(preset, values)
      const done = await send(targetOf.schedule, { action, presetId, variableValues, ...timed })
      if (done) change(presetId, (now) => handedOver(now, values))
      return done
    },
    unplan: (id: number) => void send(targetOf.scheduled(id), { action: 'unschedule', id }),
  }
}
