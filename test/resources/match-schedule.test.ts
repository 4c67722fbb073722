import { describe, expect, it } from 'vitest'
import type { Match, MatchConfig } from '../../machines/match-model.ts'
import { SPORTS, type SportName } from '../../machines/sports.ts'
import { timesOf } from '../../src/resources/streams/match-schedule.ts'
import {
  type Brief,
  commanded,
  KICK_OFF,
  matchOf,
  minutes,
  played,
  saying,
  settings,
} from '../machines/match-support.ts'

const PREGAME = 30
const POSTGAME = 20

const scheduled = (sport: SportName = 'football', config: Partial<MatchConfig> = {}) =>
  matchOf(sport, config, {
    settings: { ...settings, pregameAutomationTime: PREGAME, postgameAutomationTime: POSTGAME },
  })

/** Start and stop in minutes from the kick-off. */
const times = (match: Match) => {
  const { startAt, stopAt } = timesOf(match)
  const minute = (instant: number | null) => (instant === null ? null : (instant - KICK_OFF) / 60_000)
  return [minute(startAt), minute(stopAt)]
}
/** A match is in play: six hours after its nominal end, which is 115 minutes after kick-off in football. */
const LAST_STOP = 115 + 360
const whistle: Brief = { type: 'matchStart', timestamp: minutes(2) }
const matchEnd = (minute: number): Brief => ({ type: 'matchEnd', timestamp: minutes(minute) })

describe('[issue 5.5] the times of a match', () => {
  it('[spec 14] before it is played: around its kick-off and its length', () => {
    expect(times(scheduled())).toEqual([-PREGAME, 45 + 15 + 45 + 10 + POSTGAME])
  })

  it.each([null, 0] as const)(
    'a match with only one of them has neither, zero is one (%s)',
    (pregameAutomationTime) => {
      const match = matchOf(
        'football',
        {},
        { settings: { ...settings, pregameAutomationTime, postgameAutomationTime: 0 } },
      )
      expect(times(match)).toEqual(pregameAutomationTime === null ? [null, null] : [0, 115])
    },
  )

  it('in play its end is not known, so it has a last stop hours away, from when it began', () => {
    const inPlay = played(scheduled(), whistle)
    expect(times(inPlay)).toEqual([-PREGAME, 2 + LAST_STOP])
    const early = played(scheduled(), { type: 'matchStart', timestamp: minutes(-3) })
    expect(times(early)).toEqual([-PREGAME, LAST_STOP])
    const broken = played(inPlay, { type: 'breakStart', timestamp: minutes(47) })
    expect(times(broken)).toEqual([-PREGAME, 2 + LAST_STOP])
  })

  it('delayed and suspended matches are still to be played', () => {
    expect(times(commanded(scheduled(), saying('delayed')))).toEqual([-PREGAME, LAST_STOP])
    const suspended = commanded(played(scheduled(), whistle), saying('suspended'))
    expect(times(suspended)).toEqual([-PREGAME, 2 + LAST_STOP])
  })

  it('played long or short, it stops after its end', () => {
    expect(times(played(scheduled(), whistle, matchEnd(190)))).toEqual([-PREGAME, 190 + POSTGAME])
    expect(times(played(scheduled(), whistle, matchEnd(40)))).toEqual([-PREGAME, 40 + POSTGAME])
  })

  it('an end that is taken back has not been', () => {
    const ended = played(scheduled(), whistle, matchEnd(100))
    const reopened = commanded(ended, { type: 'erase', factId: 2 })
    expect(times(reopened)).toEqual([-PREGAME, 2 + LAST_STOP])
  })

  it.each(['abandoned', 'cancelled', 'postponed', 'finished'] as const)('%s by hand: from then on', (state) => {
    const match = state === 'abandoned' || state === 'finished' ? played(scheduled(), whistle) : scheduled()
    const said = commanded(match, saying(state))
    expect(times(said)).toEqual([state === 'finished' ? -PREGAME : null, 201 + POSTGAME])
  })

  it('where points decide, the last of them is the end', () => {
    const point = (minute: number): Brief => ({ type: 'point', side: 'home', timestamp: minutes(minute) })
    const points = Array.from({ length: 48 }, (_, index) => point(1 + index))
    const match = played(scheduled('tennis'), { type: 'matchStart', timestamp: minutes(0) }, ...points)
    expect(match.play.state).toBe('finished')
    expect(times(match)).toEqual([-PREGAME, 48 + POSTGAME])
  })

  it.each([
    ['extra time', { extraTime: true }, 115 + 30],
    ['a shoot-out', { shootout: true }, 115 + 15],
    ['short halves', { periodLength: 20, breakLength: 5 }, 20 + 5 + 20 + 10],
  ] as const)('%s counts where it is possible', (_title, config, nominal) => {
    expect(times(scheduled('football', config))).toEqual([-PREGAME, nominal + POSTGAME])
  })

  it('play with a clock that stops takes longer than the clock shows', () => {
    expect(times(scheduled('futsal'))).toEqual([-PREGAME, 2 * 20 * 2.5 + 10 + POSTGAME])
  })

  it.each(Object.keys(SPORTS) as SportName[])('%s has a length between a quarter of an hour and ten hours', (sport) => {
    const [, stopAt] = times(scheduled(sport))
    expect(stopAt).toBeGreaterThan(POSTGAME + 15)
    expect(stopAt).toBeLessThan(POSTGAME + 600)
  })
})
