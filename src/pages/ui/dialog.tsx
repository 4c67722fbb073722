import { Dialog as Parts } from 'radix-ui'
import type { ReactNode } from 'react'

/** A dialog over the page: takes the focus, gives it back, ends with Escape. */
export function Dialog({
  open,
  onClose,
  title,
  about,
  wide = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  about?: ReactNode
  /** For what is filled in beside each other. */
  wide?: boolean
  children: ReactNode
}) {
  return (
    <Parts.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="dialog-shade" />
        <Parts.Content
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          {...(about === undefined && { 'aria-describedby': undefined })}
        >
          <Parts.Title className={about === undefined ? 'dialog-title dialog-title-alone' : 'dialog-title'}>
            {title}
          </Parts.Title>
          {about !== undefined && <Parts.Description className="dialog-about">{about}</Parts.Description>}
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}
