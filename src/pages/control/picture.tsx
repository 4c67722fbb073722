import type { LiveRenderer } from '../../realtime/followers/live-protocol.ts'
import { isOnScreen } from '../live/on-screen.ts'
import { address } from './address.ts'
import { useDesk } from './desk.ts'

const counted = (count: number) => `${count} ${count === 1 ? 'renderer' : 'renderers'}`

/** A renderer that its program does not show is not late. */
function worded(renderers: readonly LiveRenderer[]): string {
  const inView = renderers.filter(({ outOfView }) => !outOfView)
  const others = renderers.length - inView.length
  if (renderers.length === 0) return 'No renderer is connected'
  if (inView.length === 0) return `${counted(others)} out of view`
  const current = inView.filter(({ state }) => state === 'current').length
  return `${current} of ${counted(inView.length)} up to date${others > 0 ? `, ${others} out of view` : ''}`
}

/** The overlay page itself; it is looked at, and takes no press and no focus. */
export function ProgramFrame() {
  const { onAir, rehearsal } = useDesk().live
  const state = onAir.size === 0 ? '' : rehearsal || isOnScreen(onAir) ? ' program-on-air' : ' program-due'
  return (
    <div className={`program-frame${state}`}>
      <iframe title="The overlay as it is on air" src={`${address}/picture`} tabIndex={-1} />
    </div>
  )
}

/** What the picture is called, and how many show it. */
export function ProgramName() {
  const { live, delayMs } = useDesk()
  const { renderers, rehearsal } = live
  return (
    <>
      <h2 id="program">
        {rehearsal ? 'Rehearsal' : 'Program'}
        {delayMs > 0 && `, ${delayMs / 1_000} s late`}
      </h2>
      {!rehearsal && (
        <p className={renderers.some(({ outOfView }) => !outOfView) ? 'renderers' : 'renderers renderers-none'}>
          {worded(renderers)}
        </p>
      )}
    </>
  )
}

export function Picture() {
  return (
    <section className="program" aria-labelledby="program">
      <ProgramFrame />
      <div className="program-foot">
        <ProgramName />
      </div>
    </section>
  )
}
