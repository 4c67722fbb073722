import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Panel } from '../../ui/panel.tsx'
import { QrCode } from '../../ui/qr.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { secondOf } from '../format.ts'
import { hereUrl, isLocal } from '../here-url.ts'
import { Failure } from '../parts.tsx'
import type { Match } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

/** The page of whoever is at the pitch: its address to send, or to read with the camera of a telephone. */
export function MatchDesk({
  match: { id, deskUrl, deskOpenedAt },
  onRotated,
}: {
  match: Match
  onRotated: () => Promise<void>
}) {
  const [asking, setAsking] = useState(false)
  const rotated = async (key: string) => {
    await api('POST', `/v2/matches/${id}/links/rotate`, { body: { links: ['desk'] }, key })
    await onRotated()
  }
  const give = useCommand((_: null, key) => rotated(key))
  if (deskUrl === undefined) return null
  const address = deskUrl && hereUrl(deskUrl)
  return (
    <Panel
      title="Match desk"
      about="Score, clock, facts and line-ups from a telephone at the pitch, also without a line"
      actions={
        address && (
          <Button small look="quiet" onClick={() => setAsking(true)}>
            New address…<span className="visually-hidden"> in place of: desk address</span>
          </Button>
        )
      }
    >
      {address ? (
        <div className="match-desk">
          <DeskCode address={address} />
          <p className="cell-about">
            {deskOpenedAt ? `First opened ${secondOf(deskOpenedAt)}` : 'No telephone has opened it yet'}
          </p>
          <Copy text={address} label="Desk address" />
          <a className="button" href={address} target="_blank" rel="noreferrer">
            Open the desk
          </a>
        </div>
      ) : (
        <Button disabled={give.busy} onClick={() => void give.run(null)}>
          Make an address
        </Button>
      )}
      <Failure error={give.error} />
      <Confirm
        open={asking}
        title="A new desk address"
        about="Telephones with the old one are shut out at once. What they have not sent stays on them."
        label="Replace the address"
        onClose={() => setAsking(false)}
        write={rotated}
      />
    </Panel>
  )
}

/** What the camera of a telephone reads, and a word where that telephone could not get there. */
export const DeskCode = ({ address }: { address: string }) => (
  <>
    <QrCode text={address} label="The address of the match desk as a QR code" />
    {isLocal(address) && (
      <p className="field-hint">
        <b>localhost</b> is this computer only. For a telephone open this dashboard by the name or address of the
        server, or start it with <b>PUBLIC_URL</b>.
      </p>
    )}
  </>
)
