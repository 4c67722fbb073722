import { onTestFinished } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { FollowerWatcher } from './follower.ts'
import type { NodesRig } from './rig.ts'
import { Watcher } from './watcher.ts'

/** Who looks at the overlays all the time. */
export type Audience = { readonly watchers: readonly Watcher[]; readonly followers: readonly FollowerWatcher[] }

/** Of each overlay a renderer behind the balancer, one at a node, and a follower at another node; resolves when all are there. */
export async function openAudience({ nodes, balancer, production }: NodesRig): Promise<Audience> {
  const { overlays, triggers } = production
  const urlOf = (index: number) => nodes[index % nodes.length]?.url ?? ''
  const watchers = overlays.flatMap((overlay, index) => [
    new Watcher(overlay, balancer, triggers),
    new Watcher(overlay, urlOf(index), triggers),
  ])
  const followers = overlays.map(({ id }, index) => new FollowerWatcher(id, urlOf(index + 1), production))
  onTestFinished(() => {
    for (const one of [...watchers, ...followers]) one.close()
  })
  await until('every renderer and follower', 30_000, 20, () => {
    return watchers.every(({ renderer }) => renderer.connected) && followers.every(({ follows }) => follows)
  })
  return { watchers, followers }
}
