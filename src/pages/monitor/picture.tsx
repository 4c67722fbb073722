import type { Live } from '../live/follow.ts'
import { isOnScreen } from '../live/on-screen.ts'
import { pageAddress } from './api.ts'

/** The overlay page itself, without being counted as a renderer. */
export function Picture({ onAir, rehearsal }: Pick<Live, 'onAir' | 'rehearsal'>) {
  const state = onAir.size === 0 ? '' : rehearsal || isOnScreen(onAir) ? ' picture-on-air' : ' picture-due'
  return (
    <section className={`picture${state}`} aria-labelledby="picture">
      <h2 id="picture" className="visually-hidden">
        Live picture
      </h2>
      <iframe title="The overlay as it is on air" src={`${pageAddress()}/picture`} tabIndex={-1} />
    </section>
  )
}
