import './content.css'
import { Tabs as Parts } from 'radix-ui'
import type { ReactNode } from 'react'

export type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode }

/** One of several parts at a time; arrow keys move between their names. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string
  tabs: readonly Tab[]
  selected: string
  onSelect: (id: string) => void
}) {
  return (
    <Parts.Root value={selected} onValueChange={onSelect}>
      <Parts.List className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Parts.Trigger className="tab" key={id} value={id}>
            {title}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map(({ id, content }) => (
        <Parts.Content className="tab-panel" key={id} value={id}>
          {content}
        </Parts.Content>
      ))}
    </Parts.Root>
  )
}
