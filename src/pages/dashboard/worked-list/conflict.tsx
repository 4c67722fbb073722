import './worked-list.css'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { Foreign } from './merge.ts'

type Props = {
  /** `plan`, and what it is a list of: `rule`. */
  what: { whole: string; one: string }
  /** The changes that somebody else saved, and when; undefined while there are none. */
  foreign: (Foreign & { at: string }) | undefined
  onMerge: () => void
  onTakeTheirs: () => void
}

/** Somebody else has saved the list meanwhile: what they did, and how to go on. */
export function Conflict({ what: { whole, one }, foreign, onMerge, onTakeTheirs }: Props) {
  if (!foreign) return null
  const { added, changed, removed, reordered, at } = foreign
  const done = [
    ['Added', added],
    ['Changed', changed],
    ['Removed', removed],
  ] as const
  return (
    <div className="notice notice-bad work-conflict" role="alert">
      <p>
        <b>Somebody else has saved {whole}</b> (<Moment at={at} seconds />) while you worked at it. What you did is
        still here, and not saved yet.
      </p>
      <ul>
        {done.map(([did, names]) => names.length > 0 && <li key={did}>{`${did}: ${names.join(', ')}`}</li>)}
        {reordered && <li>Put into another order</li>}
      </ul>
      <div className="form-actions">
        <Button small look="primary" onClick={onMerge}>
          Keep both
        </Button>
        <Button small onClick={onTakeTheirs}>
          Drop mine, take theirs
        </Button>
      </div>
      <p className="field-hint">
        Keep both takes their {one}s and yours; a {one} that both of you changed is as you have it.
      </p>
    </div>
  )
}
