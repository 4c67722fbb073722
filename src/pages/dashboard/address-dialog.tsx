import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { hereUrl } from './here-url.ts'

type Address = { url: string; expiresAt: string }

/** An address that works for a while without an account: to copy, and to open. */
export function AddressDialog({
  title,
  about,
  label,
  open,
  address: { url, expiresAt },
  onClose,
}: {
  title: string
  about: string
  label: string
  /** The text of its link. */
  open: string
  address: Address
  onClose: () => void
}) {
  return (
    <Dialog open onClose={onClose} title={title} about={about}>
      <div className="stack">
        <Copy text={hereUrl(url)} label={label} />
        <p className="field-hint">
          It works until <Moment at={expiresAt} />.
        </p>
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <a className="button button-primary" href={hereUrl(url)} target="_blank" rel="noreferrer">
            {open}
          </a>
        </div>
      </div>
    </Dialog>
  )
}
