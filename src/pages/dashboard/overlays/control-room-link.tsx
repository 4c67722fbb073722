import type { ReactNode } from 'react'
import { hereUrl } from '../here-url.ts'
import type { Overlay } from '../shapes.ts'

/** Opens the control room of an overlay beside the dashboard; nothing for people whom the server does not tell its address. */
export function ControlRoomLink({
  overlay,
  look,
  children,
}: {
  overlay: Pick<Overlay, 'name' | 'controlRoomUrl'>
  look: 'primary' | 'small'
  /** The text that tells the link from others on the page; the overlay's name, read out only, unless given. */
  children?: ReactNode
}) {
  if (overlay.controlRoomUrl === undefined) return null
  return (
    <a className={`button button-${look}`} href={hereUrl(overlay.controlRoomUrl)} target="_blank" rel="noreferrer">
      Control room{children ?? <span className="visually-hidden"> of {overlay.name}</span>}
    </a>
  )
}
