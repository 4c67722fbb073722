import type { Match, MatchCommand, MatchEvent, Refusal } from '../match-model.ts'
import { courseOf, playOf, playOn } from '../play.ts'
import { judgeConfig } from '../sports.ts'
import { isRefusal, refuse } from './refusal.ts'
import { declare } from './said.ts'

type Update = Extract<MatchCommand, { type: 'update' }>

/** Another word about a match: settings, how it is played, its state or score by hand. */
export function update(
  match: Match,
  { settings, config, competitors, state, score, at }: Update,
): MatchEvent[] | Refusal {
  if (!settings && !config && !competitors && state === undefined && score === undefined) return []
  const started = match.play.period !== null
  if (started && config) return refuse('config', 'is locked once the match has started')
  if (started && competitors) return refuse('competitors', 'are locked once the match has started')
  const { competitorsType } = match.settings
  if (started && (settings?.competitorsType ?? competitorsType) !== competitorsType)
    return refuse('competitorsType', 'is locked once the match has started', settings?.competitorsType)
  const wrong = config && judgeConfig(match.sport, config)
  if (wrong) return wrong
  const next = {
    ...match,
    settings: { ...match.settings, ...settings },
    config: { ...match.config, ...config },
    competitors: competitors ?? match.competitors,
    scoreOverride: score === undefined ? match.scoreOverride : score,
  }
  const course = courseOf(next)
  const refusal = playOn(course, next.facts)
  if (refusal) return refusal
  const said = state === undefined ? match : declare(match, course, state, at, next.scoreOverride !== null)
  if (isRefusal(said)) return said
  const { declared, declaredAt } = said
  // a match that is sent back as it was read does not keep later goals out
  const { total } = course.score
  const repeated = score && score.home === total.home && score.away === total.away
  const scoreOverride = repeated ? null : next.scoreOverride
  return [
    {
      type: 'match.updated',
      settings: next.settings,
      config: next.config,
      competitors: next.competitors,
      declared,
      declaredAt,
      scoreOverride,
      play: playOf(course, { declared, declaredAt, scoreOverride }),
    },
  ]
}
