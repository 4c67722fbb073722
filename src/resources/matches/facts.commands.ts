import type { z } from 'zod'
import type { FactAsked, Match, Fact as StoredFact } from '../../../machines/match-model.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Repeated } from '../../http/route.ts'
import type { Provider } from '../../schema/provider.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { ownRecords } from '../ownership.ts'
import { askMatch } from './ask-match.ts'
import { ownPeople, teamOfFact } from './fact-people.ts'
import { factOf } from './facts.queries.ts'
import type { Fact, FactCreation, FactUpdate } from './facts.schema.ts'

type Shown = z.output<typeof Fact>
/** Fields that only a sync sets: no request can. */
type Supplied = { dataProvider?: Provider }

/** Found under the same `clientFactId`: the request was made before. */
class AlreadyRecorded extends Error {
  readonly fact: Shown

  constructor(fact: Shown) {
    super('the fact is there')
    this.fact = fact
  }
}

/**
 * Records a fact; state, period, clock and score of the match follow. The same `clientFactId` again answers the fact that is
 * there, however often and at once it is sent.
 */
export async function recordFact(
  ctx: Context,
  matchId: number,
  asked: FactCreation & Supplied,
): Promise<Shown | Repeated<Shown>> {
  await ownRecords(ctx, ctx.db.sql, 'match', [matchId])
  const people = await ownPeople(ctx, matchId, asked)
  const { clientFactId } = asked
  let id = 0
  try {
    return await askMatch(ctx, matchId, {
      asked: { type: 'record', fact: asked },
      async decide(match) {
        const before = clientFactId && match.facts.find((fact) => fact.clientFactId === clientFactId)
        if (before) throw new AlreadyRecorded(factOf(matchId, before))
        const fact = { ...factAsked(asked), type: asked.type, teamId: teamOfFact(match, people, asked) }
        // in the mailbox: facts are committed in the order of their ids, by which game plans know the new ones
        id = await nextFactId(ctx)
        return { type: 'record', id, at: now(), fact }
      },
      reply: (match) => shown(match, matchId, id),
    })
  } catch (error) {
    if (error instanceof AlreadyRecorded) return new Repeated(error.fact)
    throw error
  }
}

/** Corrects a fact: fields left out keep their value. A fact of another match is not found. */
export async function correctFact(
  ctx: Context,
  matchId: number,
  factId: number,
  asked: FactUpdate & Supplied,
): Promise<Shown> {
  await ownRecords(ctx, ctx.db.sql, 'match', [matchId])
  const before = await ctx.actors.read('match', matchId)
  const stored = before && factIn(before.context, factId)
  // a team that is named anew needs to know where the player belongs that is kept
  const people = await ownPeople(ctx, matchId, { playerId: stored?.playerId, ...asked })
  return askMatch(ctx, matchId, {
    asked: { type: 'correct', factId, fact: asked },
    decide(match) {
      const fact = factIn(match, factId)
      const teamId = teamOfFact(match, people, asked, fact)
      return {
        type: 'correct',
        factId,
        at: now(),
        fact: { ...factAsked(asked), ...(teamId !== fact.teamId && { teamId }) },
      }
    },
    reply: (match) => shown(match, matchId, factId),
  })
}

/** Deletes a fact; all that followed from it is undone. Answers the fact that was. */
export async function eraseFact(ctx: Context, matchId: number, factId: number): Promise<Shown> {
  await ownRecords(ctx, ctx.db.sql, 'match', [matchId])
  let erased: Shown | undefined
  return askMatch(ctx, matchId, {
    asked: { type: 'erase', factId },
    decide(match) {
      erased = factOf(matchId, factIn(match, factId))
      return { type: 'erase', factId, at: now() }
    },
    reply: () => erased ?? notRecorded(),
  })
}

const now = serviceMoment

function notRecorded(): never {
  throw notFound()
}

const factIn = (match: Match, factId: number): StoredFact =>
  match.facts.find(({ id }) => id === factId) ?? notRecorded()

const shown = (match: Match, matchId: number, factId: number) => factOf(matchId, factIn(match, factId))

/** The fact without fields left out; moments as all facts have them, so that their order is that of their text. */
function factAsked({ timestamp, ...asked }: FactUpdate & Supplied): Partial<FactAsked> {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  return { ...given, ...(timestamp !== undefined && { timestamp: new Date(timestamp).toISOString() }) }
}

/** Ids are never used twice, so that the fact of another match is never mistaken for one of this. */
async function nextFactId({ db: { sql } }: Context): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select nextval('match_fact_id')::int as id`
  if (!row) throw new Error('a sequence gave no value')
  return row.id
}
