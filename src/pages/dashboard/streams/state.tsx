import { Badge } from '../../ui/badge.tsx'
import type { Stream } from '../shapes.ts'

/** Whether a stream runs, and whether anybody else sees it. */
export function StreamBadge({ state, liveAt }: Pick<Stream, 'state' | 'liveAt'>) {
  if (state === 'live') return liveAt ? <Badge tone="air">Live</Badge> : <Badge tone="good">Running, not live</Badge>
  if (state === 'starting') return <Badge tone="pending">Starting</Badge>
  if (state === 'stopping') return <Badge tone="pending">Stopping</Badge>
  if (state === 'error') return <Badge tone="bad">Stopped by a fault</Badge>
  return <Badge>Stopped</Badge>
}

type Reported = { status: 'connected' | 'connecting' | 'retrying'; publishing?: boolean | undefined }

export function DestinationBadge({ status, publishing }: Reported) {
  if (!publishing) return <Badge>Stopped</Badge>
  if (status === 'connected') return <Badge tone="air">Connected</Badge>
  if (status === 'retrying') return <Badge tone="bad">Retrying</Badge>
  return <Badge tone="pending">Connecting</Badge>
}

type InputState = 'idle' | 'waiting' | 'live' | 'reconnecting'

export function InputBadge({ state }: { state: InputState }) {
  if (state === 'live') return <Badge tone="good">Video arrives</Badge>
  if (state === 'reconnecting') return <Badge tone="bad">Reconnecting</Badge>
  if (state === 'waiting') return <Badge tone="pending">Waiting for video</Badge>
  return <Badge>Idle</Badge>
}
