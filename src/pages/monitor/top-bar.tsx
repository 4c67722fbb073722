import { useEffect } from 'react'
import type { Live } from '../live/follow.ts'
import { isOnScreen } from '../live/on-screen.ts'
import { Badge } from '../ui/badge.tsx'
import { Connection, ConnectionAlarm } from '../ui/connection.tsx'
import { timeOfDay } from '../ui/elapsed.ts'

function Tally({ live: { onAir, rehearsal, connection } }: { live: Live }) {
  if (connection !== 'connected') return <span className="tally">Unknown</span>
  if (rehearsal) return <span className="tally">Rehearsal</span>
  if (onAir.size === 0) return <span className="tally">Off air</span>
  return <span className={isOnScreen(onAir) ? 'tally tally-due tally-on' : 'tally tally-due'}>On air</span>
}

/** The overlay that is watched, whether anything is on air, and whether the page can be believed. */
export function TopBar({ live, now }: { live: Live; now: number }) {
  const { overlay, onAir, rehearsal, connection } = live
  const isConnected = connection === 'connected'
  const isOnAir = onAir.size > 0 && !rehearsal
  const name = overlay?.name ?? 'Monitoring'
  useEffect(() => {
    document.title = `${isConnected ? (isOnAir ? '● ' : '') : 'Not connected: '}${name}`
  }, [name, isConnected, isOnAir])
  return (
    <header className="top">
      <ConnectionAlarm connection={connection} since={live.since} />
      <div className="top-bar">
        <Tally live={live} />
        <div className="top-name">
          <h1>{name}</h1>
          <p>{live.match ? `${live.match.name}, view only` : 'View only'}</p>
        </div>
        {overlay && overlay.encodingDelay > 0 && (
          <Badge tone="pending">In the picture {overlay.encodingDelay} s later</Badge>
        )}
        {overlay?.autoMode && <Badge>Automatic</Badge>}
        {isConnected && (
          <time className="time-of-day tabular" dateTime={new Date(now).toISOString()} title="The server's time">
            {timeOfDay(now)}
          </time>
        )}
        <Connection connection={connection} />
      </div>
    </header>
  )
}
