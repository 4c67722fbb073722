import { Dialog as Parts } from 'radix-ui'
import { type ReactNode, useState } from 'react'

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
  /** For forms with fields beside each other. */
  wide?: boolean
  children: ReactNode
}) {
  const opener = useOpener(open)
  return (
    <Parts.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="dialog-shade" />
        <Parts.Content
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          {...(about === undefined && { 'aria-describedby': undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            opener?.focus()
          }}
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

/** The element with the focus when the dialog was asked for; of a menu its button, since its entries are gone by then. */
function useOpener(open: boolean): HTMLElement | undefined {
  const [was, setWas] = useState(false)
  const [opener, setOpener] = useState<HTMLElement>()
  if (open !== was) {
    setWas(open)
    if (open) setOpener(openerNow())
  }
  return opener
}

function openerNow(): HTMLElement | undefined {
  const active = document.activeElement
  const menu = active?.closest('[role="menu"]')
  const found = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return found instanceof HTMLElement ? found : undefined
}
