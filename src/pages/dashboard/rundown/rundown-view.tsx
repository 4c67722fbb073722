import './rundown.css'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Match, Overlay, RoomDetail, Rundown } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { RundownEditor } from './rundown-editor.tsx'

/** What an overlay shows one after another, written before the show. */
export function RundownView({ params: { overlayId } }: ViewProps) {
  const overlay = useResource<Overlay>(`/v2/overlays/${overlayId}`)
  const roomId = overlay.value?.controlRoomId
  const match = useResource<Match>(overlay.value && `/v1/matches/${overlay.value.matchId}`)
  const room = useResource<RoomDetail>(roomId == null ? undefined : `/v2/control-rooms/${roomId}`)
  const rundown = useResource<Rundown>(`/v2/overlays/${overlayId}/rundown`)
  const back = { to: `/overlays/${overlayId}`, title: overlay.value?.name ?? 'Overlay' }
  if (overlay.value && roomId === null)
    return (
      <>
        <PageHead title="Rundown" back={back} />
        <Empty>
          <p>A rundown is made of the presets of a control room, and this overlay has none.</p>
          <Link className="button" to={back.to}>
            Choose one in its settings
          </Link>
        </Empty>
      </>
    )
  if (!overlay.value || !match.value || !room.value || !rundown.value)
    return (
      <>
        <PageHead title="Rundown" back={back} />
        <Waiting
          error={overlay.error ?? match.error ?? room.error ?? rundown.error}
          reload={() => Promise.all([overlay.reload(), match.reload(), room.reload(), rundown.reload()])}
        />
      </>
    )
  return (
    <RundownEditor
      key={overlay.value.id}
      back={back}
      overlay={overlay.value}
      match={match.value}
      room={room.value}
      read={rundown.value}
      reload={rundown.reload}
    />
  )
}
