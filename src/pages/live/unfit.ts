import { unfit } from '../../ograf/requirements.ts'
import type { LiveRenderer } from '../../realtime/followers/live-protocol.ts'
import { together } from './problems.ts'

/** Which connected renderers a graphic is not for, and why: what a show would warn of. */
export function unfitRenderers(
  requirements: readonly unknown[] | undefined,
  renderers: readonly Pick<LiveRenderer, 'name' | 'engine'>[],
): { reason: string; by: string }[] {
  if (!requirements) return []
  const byReason = new Map<string, string[]>()
  for (const renderer of renderers) {
    const reason = unfit(requirements, { name: renderer.name, engine: renderer.engine })
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), renderer.name])
  }
  return [...byReason].map(([reason, names]) => ({ reason, by: together(names) }))
}
