import './menu.css'
import { DropdownMenu } from 'radix-ui'

export type MenuAction = { readonly title: string; readonly onSelect: () => void; readonly danger?: boolean }

/** The actions on one row, behind one button; `of` names the row to people who cannot see it. */
export function ActionMenu({ of, actions }: { of: string; actions: readonly MenuAction[] }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button button-small">
        Actions<span className="visually-hidden"> for {of}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {actions.map(({ title, onSelect, danger }) => (
            <DropdownMenu.Item
              className={danger ? 'menu-item menu-danger' : 'menu-item'}
              key={title}
              onSelect={onSelect}
            >
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
