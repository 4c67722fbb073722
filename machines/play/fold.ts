import type { Match, MatchEvent } from '../match-model.ts'
import { inMatchOrder } from '../play.ts'
import { resumed } from './said.ts'

/** The state after an event. Pure; used by the machine, by replay, and by pages that show what they have yet to send. */
export function foldMatch(match: Match, event: MatchEvent): Match {
  switch (event.type) {
    case 'match.fact.recorded': {
      const { fact, play } = event
      return { ...match, ...resumed(match, fact), facts: [...match.facts, fact].sort(inMatchOrder), play }
    }
    case 'match.fact.corrected': {
      const { fact, play } = event
      const facts = match.facts.map((one) => (one.id === fact.id ? fact : one)).sort(inMatchOrder)
      return { ...match, facts, play }
    }
    case 'match.fact.erased':
      return { ...match, facts: match.facts.filter(({ id }) => id !== event.factId), play: event.play }
    case 'match.updated': {
      const { type: _type, ...updated } = event
      return { ...match, ...updated }
    }
  }
}
