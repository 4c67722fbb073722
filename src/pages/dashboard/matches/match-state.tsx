import { worded } from '../../../schema/worded.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Match } from '../shapes.ts'

const TONES = { live: 'good', break: 'pending', suspended: 'bad', abandoned: 'bad', cancelled: 'bad' } as const

/** State of a match in a word; while it is played, the period. */
export function MatchState({ match: { state, period } }: { match: Pick<Match, 'state' | 'period'> }) {
  const tone = Object.hasOwn(TONES, state) ? TONES[state as keyof typeof TONES] : undefined
  const text = state === 'live' && period ? period.name : worded(state)
  return <Badge {...(tone && { tone })}>{text}</Badge>
}
