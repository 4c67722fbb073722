import { address } from './address.ts'
import { useDesk } from './desk.ts'

/** The overlay page itself; it is looked at, and takes no press and no focus. */
export function Picture() {
  const { live, delayMs } = useDesk()
  const { renderers, onAir } = live
  const current = renderers.filter(({ state }) => state === 'current').length
  return (
    <section className="program" aria-labelledby="program">
      <div className={onAir.size > 0 ? 'program-frame program-on-air' : 'program-frame'}>
        <iframe title="The overlay as it is on air" src={`${address}/picture`} tabIndex={-1} />
      </div>
      <div className="program-foot">
        <h2 id="program">Program{delayMs > 0 && `, ${delayMs / 1_000} s late`}</h2>
        <p className={renderers.length === 0 ? 'renderers renderers-none' : 'renderers'}>
          {renderers.length === 0
            ? 'No renderer is connected'
            : `${current} of ${renderers.length} ${renderers.length === 1 ? 'renderer' : 'renderers'} up to date`}
        </p>
      </div>
    </section>
  )
}
