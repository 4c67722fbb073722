import { clockText, clockValue } from '../../../src/pages/shared/clock.ts'
import { secondsLeft } from './lamps.ts'
import type { Show } from './show.ts'
import type { Variables } from './types.ts'

export const VARIABLES: Record<keyof Variables, { name: string }> = {
  overlay: { name: 'Name of the overlay' },
  home_name: { name: 'Home team' },
  away_name: { name: 'Away team' },
  home_score: { name: 'Score of the home team' },
  away_score: { name: 'Score of the away team' },
  clock: { name: 'Clock of the match' },
  period: { name: 'Period of the match' },
  on_air: { name: 'What is on air' },
  on_preview: { name: 'What is on preview' },
  countdown: { name: 'Seconds until the next graphic goes off by itself' },
  renderers: { name: 'Connected renderers' },
}

/** All of them as they stand at this time of the server, ms since 1970; what is not known is empty. */
export function valuesOf({ live, overlay }: Pick<Show, 'live' | 'overlay'>, now: number): Variables {
  const match = live?.match
  const side = (isHome: boolean) => match?.competitors.find((one) => one.isHome === isHome)
  const names = (graphics: Iterable<{ graphicName: string }>) =>
    [...graphics].map(({ graphicName }) => graphicName).join(', ')
  return {
    overlay: live?.overlay?.name ?? overlay?.name ?? '',
    home_name: side(true)?.shortName ?? '',
    away_name: side(false)?.shortName ?? '',
    home_score: String(side(true)?.score ?? ''),
    away_score: String(side(false)?.score ?? ''),
    clock: match?.clock ? clockText(clockValue(match.clock, now), match.clock.direction) : '',
    period: match?.period?.name ?? '',
    on_air: names(live?.onAir.values() ?? []),
    on_preview: names(live?.preview.values() ?? []),
    countdown: String(secondsLeft(live, now) ?? ''),
    renderers: live?.renderers.length ?? 0,
  }
}
