import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { hereUrl } from '../here-url.ts'

/** One of an overlay's addresses: to copy, to open, and to replace when it got into wrong hands. */
export function Address({
  title,
  about,
  label,
  url,
  open,
  rotate,
  onRotated,
  children,
}: {
  title: string
  about: ReactNode
  /** The name of the copied address: `Overlay address`. */
  label: string
  url: string
  open: { title: string; query?: string }
  /** Undefined where the person may not. */
  rotate: { overlayId: number; link: 'control' | 'monitoring' | 'production'; warning: string } | undefined
  onRotated: () => Promise<void>
  children?: ReactNode
}) {
  const [asking, setAsking] = useState(false)
  const address = hereUrl(url)
  return (
    <Panel
      title={title}
      about={about}
      actions={
        <div className="address-actions">
          <a className="button" href={address + (open.query ?? '')} target="_blank" rel="noreferrer">
            {open.title}
          </a>
          {rotate && (
            <Button look="quiet" onClick={() => setAsking(true)}>
              New address…<span className="visually-hidden"> in place of: {label}</span>
            </Button>
          )}
        </div>
      }
    >
      <Copy text={address} label={label} />
      {children}
      {rotate && (
        <Confirm
          open={asking}
          title={`A new ${label.toLowerCase()}`}
          about={rotate.warning}
          label="Replace the address"
          onClose={() => setAsking(false)}
          write={async (key) => {
            await api('POST', `/v2/overlays/${rotate.overlayId}/links/rotate`, { body: { links: [rotate.link] }, key })
            await onRotated()
          }}
        />
      )}
    </Panel>
  )
}
