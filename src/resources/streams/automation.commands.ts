import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { getStreamRow } from './queries.ts'
import { followSettings } from './schedule.ts'
import type { StreamAutomation } from './schema.ts'

/** Turns Auto Stream on or off. Throws invalid when the match has no times for it. spec: Streams 14 */
export async function changeAutomation(
  ctx: Context,
  streamId: number,
  autoStream: boolean,
): Promise<z.output<typeof StreamAutomation>> {
  const command = { ref: `stream-settings/${streamId}`, type: 'automation', asked: { autoStream } }
  const result = await ctx.db.write(ctx, command, async (tx) => {
    const { matchId, ...stored } = await getStreamRow(ctx, streamId, tx)
    if (autoStream) {
      const [match] = await tx<Times[]>`
        select pregame_automation_minutes as "pregameAutomationTime",
          postgame_automation_minutes as "postgameAutomationTime"
        from match where id = ${matchId}`
      checkTimes(match)
    }
    const changes = stored.autoStream !== autoStream
    if (changes)
      await tx`update stream_settings set auto_stream = ${autoStream}, updated_at = clock_timestamp()
        where id = ${streamId}`
    return {
      result: { streamSettingsId: streamId, autoStream },
      events: changes ? [{ type: 'stream.automationChanged', streamSettingsId: streamId, autoStream }] : [],
    }
  })
  await followSettings(ctx, streamId)
  return result
}

type Times = { pregameAutomationTime: number | null; postgameAutomationTime: number | null }

function checkTimes(match: Times | undefined): void {
  const missing: FieldErrors = {}
  for (const name of ['pregameAutomationTime', 'postgameAutomationTime'] as const)
    if ((match?.[name] ?? null) === null)
      missing[`match.${name}`] = { message: 'the match needs it before Auto Stream can be turned on' }
  if (Object.keys(missing).length > 0) throw invalid(missing, 'The match has no automation times')
}
