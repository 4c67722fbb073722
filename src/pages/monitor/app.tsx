import './monitor.css'
import { useLive } from '../live/use-live.ts'
import { Rehearsal } from '../ui/rehearsal.tsx'
import { useNow } from '../ui/use-now.ts'
import { type AsRunRow, doorOf, type Room, type Stream, type Obs as Told } from './api.ts'
import { AsRun } from './as-run.tsx'
import { Coming } from './coming.tsx'
import { Obs } from './obs.tsx'
import { OnAir } from './on-air.tsx'
import { Picture } from './picture.tsx'
import { Renderers } from './renderers.tsx'
import { Scoreboard } from './scoreboard.tsx'
import { Streams } from './streams.tsx'
import { TopBar } from './top-bar.tsx'
import { usePolled } from './use-polled.ts'

const STREAMS_MS = 5_000
const OBS_MS = 5_000
/** Renderers report their paints after the change itself was told. */
const AS_RUN_MS = 5_000

/** The monitoring page of an overlay: everything that producers look at, and nothing that changes anything. */
export function Monitor() {
  const live = useLive()
  const { onAir, connection, roomRevision, lastChange } = live
  const isConnected = connection === 'connected'
  const isGone = connection === 'gone'
  // an unknown state does not go on: clocks stand while the connection is lost
  const now = useNow(live.serverOffsetMs, isConnected)
  const room = usePolled<Room>(doorOf('room'), 0, roomRevision).answer
  const streams = usePolled<{ streams: Stream[] }>(doorOf('streams'), isGone ? 0 : STREAMS_MS, 0)
  const asRun = usePolled<{ asRun: AsRunRow[] }>(doorOf('as-run'), isGone ? 0 : AS_RUN_MS, lastChange?.seq ?? 0)
  const obs = usePolled<Told>(doorOf('obs'), isGone ? 0 : OBS_MS, 0).answer
  const hasStreams = (streams.answer?.streams.length ?? 0) > 0
  const asRunPanel = <AsRun polled={asRun} room={room} />
  return (
    <>
      {live.rehearsal && <Rehearsal />}
      <TopBar live={live} now={now} />
      <main className={`board${isConnected ? '' : ' board-lost'}${live.rehearsal ? ' in-rehearsal' : ''}`}>
        <div className="board-left">
          <Picture onAir={onAir} rehearsal={live.rehearsal} />
          {hasStreams ? <Streams polled={streams} now={now} /> : asRunPanel}
        </div>
        <div className="board-right">
          <Scoreboard live={live} />
          <OnAir
            onAir={[...onAir.values()]}
            rehearsal={live.rehearsal}
            renderers={live.renderers}
            room={room}
            now={now}
          />
          <Coming live={live} room={room} now={now} />
          <Renderers renderers={live.renderers} room={room} now={now} />
          <Obs told={obs} isNeeded={isConnected && live.renderers.length === 0} />
          {hasStreams && asRunPanel}
        </div>
      </main>
    </>
  )
}
