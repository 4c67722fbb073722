import './worked-list.css'
import { Button } from '../../ui/button.tsx'
import type { Edited, Item } from './edits.ts'

type Props<T> = { removed: Edited<T>['removed']; of: string; about?: string; onUndo: () => void }

/** The way back for what was removed last; several of them are called `of`: `rules`. */
export function Removed<T extends Item>({ removed, of, about, onUndo }: Props<T>) {
  const last = removed.at(-1)
  if (!last) return null
  const [first] = last.items
  const what = last.items.length === 1 ? first?.item.name : `${last.items.length} ${of}`
  return (
    <div className="notice work-removed" role="status">
      <span>
        Removed: {what}
        {about && `. ${about}`}
      </span>
      <Button small onClick={onUndo}>
        Undo
      </Button>
    </div>
  )
}
