import type { Sql } from 'postgres'
import type { Game } from '../../../machines/game-plan/matching.ts'
import type { Fact, Match, MatchEvent } from '../../../machines/match-model.ts'
import type { Course } from '../../../machines/play/course.ts'
import { resumed } from '../../../machines/play/said.ts'
import { courseOf, playOf, playOn } from '../../../machines/play.ts'
import { STRUCTURAL } from '../../../machines/sports.ts'

/** The state and score of a match as set by hand, over those that its facts come to. `at`: ms since 1970. */
export type Said = { at: number } & Pick<Match, 'declared' | 'declaredAt' | 'scoreOverride'>

/** Facts of one moment, or a state or score set by hand. */
export type Happening = { at: number; facts: readonly Fact[]; said: Said | undefined }

/** As many facts of one moment are told at once; the rest of them right after. */
const MOST_AT_ONCE = 20

const isStructural = ({ type }: Fact) => Object.hasOwn(STRUCTURAL, type)

/**
 * The happenings of a match, in the order of its own time: facts as they stand now, at their timestamps. Facts of one moment are told
 * together, as a provider sends them; those that move the match on are told alone, so that no state is passed over.
 */
export function happeningsOf({ facts }: Pick<Match, 'facts'>, said: readonly Said[]): Happening[] {
  const happenings: Happening[] = said.map((one) => ({ at: one.at, facts: [], said: one }))
  let together: Fact[] = []
  for (const fact of facts) {
    const [first] = together
    const goesAlong = first && first.timestamp === fact.timestamp && !isStructural(first) && !isStructural(fact)
    if (goesAlong && together.length < MOST_AT_ONCE) {
      together.push(fact)
      continue
    }
    together = [fact]
    happenings.push({ at: Date.parse(fact.timestamp), facts: together, said: undefined })
  }
  // a state set at the moment of a fact was set on the match with that fact; the sort keeps the order of the others
  return happenings.sort((one, other) => one.at - other.at || Number(!!one.said) - Number(!!other.said))
}

/** The states and scores that were set by hand, as the journal of the match has them; where it keeps them no more, those that hold now. */
export async function saidOf(sql: Sql, matchId: number, match: Match): Promise<Said[]> {
  const rows = await sql<{ at: number; event: Extract<MatchEvent, { type: 'match.updated' }> }[]>`
    select (extract(epoch from j.at) * 1000)::float8 as at, event from journal j
    cross join lateral json_array_elements(j.events) with ordinality as told (event, nth)
    where j.ref = ${`match/${matchId}`} and event ->> 'type' = 'match.updated' order by j.seq, nth`
  const words = rows.map(({ at, event: { declared, declaredAt, scoreOverride } }) => ({
    ...{ at: Math.floor(at), declared, declaredAt, scoreOverride },
  }))
  return saidIn([...words, lastWord(match)])
}

/** The state and score set by hand that hold now. */
export function lastWord({ declared, declaredAt, scoreOverride, facts, createdAt }: Match): Said {
  const at = Date.parse(declaredAt ?? facts.at(-1)?.timestamp ?? createdAt)
  return { at, declared, declaredAt, scoreOverride }
}

/** States and scores that differ from those before: settings are changed by the same event. */
export function saidIn(words: readonly Said[]): Said[] {
  const told: Said[] = []
  for (const word of words) {
    const { declared, scoreOverride } = told.at(-1) ?? { declared: null, scoreOverride: null }
    const isNew =
      word.declared !== declared ||
      word.scoreOverride?.home !== scoreOverride?.home ||
      word.scoreOverride?.away !== scoreOverride?.away
    if (isNew) told.push(word)
  }
  return told
}

/** A match as it is played again from its beginning, one happening after another. */
export class PlayedMatch {
  readonly #facts: readonly Fact[]
  readonly #numbered: readonly Fact[]
  readonly #course: Course
  #match: Match

  constructor(match: Match) {
    this.#facts = match.facts
    // a plan takes facts for new by their ids; a fact that was told late has a later id than those after it
    this.#numbered = match.facts.map((fact, index) => ({ ...fact, id: index + 1 }))
    const begun = { ...match, facts: [], declared: null, declaredAt: null, scoreOverride: null }
    this.#course = courseOf(begun)
    this.#match = { ...begun, play: playOf(this.#course, begun) }
  }

  get match(): Match {
    return this.#match
  }

  /** The match as the plan is told of it: facts are numbered in the order in which they happen. */
  get game(): Game {
    const { facts, competitors, play, settings } = this.#match
    return { facts: this.#numbered.slice(0, facts.length), competitors, play, date: settings.date }
  }

  /** The fact that the plan knows by this number. */
  factOf({ id }: Pick<Fact, 'id'>): Fact | null {
    return this.#facts[id - 1] ?? null
  }

  /** Throws when the facts of a happening cannot follow those before it. */
  take({ facts, said }: Happening): void {
    let next = this.#match
    if (said) {
      const { at: _, ...words } = said
      next = { ...next, ...words }
    }
    for (const fact of facts) next = { ...next, ...resumed(next, fact) }
    const refusal = playOn(this.#course, facts)
    if (refusal) throw new Error(refusal.message)
    next = { ...next, facts: this.#facts.slice(0, next.facts.length + facts.length) }
    this.#match = { ...next, play: playOf(this.#course, next) }
  }
}
