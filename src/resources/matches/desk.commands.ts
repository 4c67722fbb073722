import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { serviceTime } from '../../waiting/service-time.ts'
import { linkedMatch } from '../ownership.ts'
import type { DeskAnswer, DeskUpdate } from './desk.schema.ts'
import { correctFact, eraseFact, recordFact } from './facts.commands.ts'
import type { FactCreation, FactUpdate } from './facts.schema.ts'
import { replaceLineups } from './lineup.commands.ts'
import type { LineupUpdate } from './lineup.schema.ts'
import { updateMatchV2 } from './update.commands.ts'

/** Nothing is pressed in the future: what a telephone measured of the server's clock may be off by the length of its line. */
const pressed = <Asked extends { timestamp?: string | undefined }>(asked: Asked): Asked => {
  const now = serviceTime()
  return asked.timestamp !== undefined && Date.parse(asked.timestamp) > now
    ? { ...asked, timestamp: new Date(now).toISOString() }
    : asked
}

/** As `recordFact`, from the page at the pitch; `timestamp` is the time of the press by the server's clock. */
export const recordAtDesk = (ctx: Context, asked: FactCreation) =>
  recordFact(ctx, linkedMatch(ctx), pressed({ source: 'app' as const, ...asked }))

/** As `correctFact`. */
export const correctAtDesk = (ctx: Context, factId: number, asked: FactUpdate) =>
  correctFact(ctx, linkedMatch(ctx), factId, pressed(asked))

/** As `eraseFact`. */
export const eraseAtDesk = (ctx: Context, factId: number) => eraseFact(ctx, linkedMatch(ctx), factId)

/** State or score said by hand. */
export async function updateAtDesk(
  ctx: Context,
  asked: z.output<typeof DeskUpdate>,
): Promise<z.output<typeof DeskAnswer>> {
  const { state, score, sport } = await updateMatchV2(ctx, linkedMatch(ctx), asked)
  return { state, score: { home: score.home, away: score.away }, sport }
}

/** As `replaceLineups`. */
export const lineUpAtDesk = (ctx: Context, asked: LineupUpdate) => replaceLineups(ctx, linkedMatch(ctx), asked)
