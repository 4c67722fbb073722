import { Badge } from '../../ui/badge.tsx'
import type { Brand } from '../shapes.ts'

/** Whether a sponsor slot would choose the brand now. */
export function BrandState({ brand: { active, from, to } }: { brand: Brand }) {
  if (!active) return <Badge>Paused</Badge>
  const now = Date.now()
  if (from !== null && now < Date.parse(from)) return <Badge tone="pending">Not yet</Badge>
  if (to !== null && now >= Date.parse(to)) return <Badge>Over</Badge>
  return <Badge tone="good">In rotation</Badge>
}
