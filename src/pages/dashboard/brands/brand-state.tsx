import { Badge } from '../../ui/badge.tsx'
import type { Brand } from '../shapes.ts'

type Term = Pick<Brand, 'active' | 'from' | 'to'>

/** Whether a sponsor slot may choose the brand now. */
export const isInRotation = ({ active, from, to }: Term, now = Date.now()): boolean =>
  active && (from === null || now >= Date.parse(from)) && (to === null || now < Date.parse(to))

/** Why it may not, or that it may. */
export function BrandState({ brand: { active, from, to } }: { brand: Term }) {
  if (!active) return <Badge>Paused</Badge>
  const now = Date.now()
  if (isInRotation({ active, from, to }, now)) return <Badge tone="good">In rotation</Badge>
  if (from !== null && now < Date.parse(from)) return <Badge tone="pending">Not yet</Badge>
  return <Badge>Over</Badge>
}
