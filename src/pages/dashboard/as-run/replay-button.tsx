import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { AddressDialog } from '../address-dialog.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { ReplayAddress } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

/** Makes an address under which the overlay's show is played again: all of it, or the time that is looked at. */
export function ReplayButton({ overlayId, from, to }: { overlayId: string; from: string; to: string }) {
  const [address, setAddress] = useState<ReplayAddress>()
  const make = useCommand(async (window: object, key) => {
    setAddress(await api<ReplayAddress>('POST', `/v2/overlays/${overlayId}/replays`, { body: window, key }))
  })
  return (
    <>
      <Button disabled={make.busy} onClick={() => void make.run({ ...(from && { from }), ...(to && { to }) })}>
        Replay
      </Button>
      <Failure error={make.error} />
      {address && (
        <AddressDialog
          title="Replay"
          about="Whoever has this address can play again what was on air, at any speed, without an account. It touches nothing that is on air now."
          label="Address of the replay"
          open="Open the replay"
          address={address}
          onClose={() => setAddress(undefined)}
        />
      )}
    </>
  )
}
