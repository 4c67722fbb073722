import { describe, expect, it } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { matchMachine, newMatch, replayMatch } from '../../machines/match.ts'
import type { MatchEvent } from '../../machines/match-model.ts'
import { transitionOf } from '../../machines/transition.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'
import {
  type Ask,
  commanded,
  matchOf,
  minutes,
  played,
  recording,
  saying,
  settings,
  snapshotOf,
  stamped,
} from './match-support.ts'

const transition = transitionOf(matchMachine)
const scheduled = matchOf('football')
const live = played(scheduled, { type: 'periodStart' }, { type: 'goal', side: 'home' })
const at = [scheduled, live, played(live, { type: 'matchEnd' }), commanded(live, saying('suspended'))]

describe('a match as a stored actor', () => {
  it('comes back from its snapshot as it was, also from one of version 0', () => {
    for (const match of at) {
      const stored: unknown = JSON.parse(encodeSnapshot(snapshotOf(match)))
      const restored = decodeSnapshot('match', kinds.match.version, stored)
      expect([restored.value, restored.context]).toEqual([match.play.state, match])
    }
    const made = { sport: 'football', config: {}, settings, competitors: scheduled.competitors, at: minutes(-60) }
    expect(decodeSnapshot('match', 0, { value: 'scheduled', context: made }).context).toEqual(scheduled)
  })

  it('is the fold of its journal', () => {
    const made = { sport: 'football', config: {}, settings, competitors: scheduled.competitors, at: minutes(-60) }
    const asks = [
      recording('periodStart'),
      saying('suspended'),
      { ...recording('clockStart'), id: 1_000 } as Ask,
      { type: 'update', score: { home: 1, away: 1 } } as const,
    ]
    let snapshot = snapshotOf(newMatch(made))
    const journal: MatchEvent[] = []
    for (const ask of asks) {
      const step = transition(snapshot, stamped(ask))
      snapshot = matchMachine.resolveState({ value: step.snapshot.value, context: step.snapshot.context })
      journal.push(...(step.events as MatchEvent[]))
    }
    expect(journal).toHaveLength(4)
    expect(replayMatch([{ type: 'match.created', match: made }, ...journal])).toEqual(snapshot.context)
  })
})
