import { useCallback, useMemo, useState } from 'react'
import { SelectField } from '../../ui/field.tsx'
import { useOrdering } from '../../ui/use-ordering.ts'
import { ControlRoomLink } from '../overlays/control-room-link.tsx'
import { Empty, Failure, PageHead } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useActiveGraphics } from '../rooms/use-graphics.ts'
import { useMay } from '../session.tsx'
import type { Match, Overlay, RoomDetail, Rundown } from '../shapes.ts'
import { Conflict } from '../worked-list/conflict.tsx'
import { LeaveGuard } from '../worked-list/leave-guard.tsx'
import { Removed } from '../worked-list/removed.tsx'
import { SaveBar } from '../worked-list/save-bar.tsx'
import { useWorkedList } from '../worked-list/use-worked-list.ts'
import { type DraftItem, ITEMS, isSame, newDraft } from './draft.ts'
import { ItemRow } from './item-row.tsx'

/** As the API takes. */
const MOST = 200

type Props = {
  back: { to: string; title: string }
  overlay: Overlay
  match: Match
  room: RoomDetail
  read: Rundown
  reload: () => Promise<void>
}

/** The items of a rundown, to be added, written, put into order, doubled and removed. */
export function RundownEditor({ back, overlay, match, room, read, reload }: Props) {
  const mayChange = useMay('overlays:write')
  const list = useWorkedList(ITEMS, `/v2/overlays/${overlay.id}/rundown`, { read, reload })
  const { items, step, faults } = list
  const { graphics } = useActiveGraphics(room.themeId)
  const [said, setSaid] = useState('')
  const [open, setOpen] = useState<string>()
  const announce = useCallback((text: string) => setSaid(text), [])
  const nameOf = (item: DraftItem) =>
    item.name.trim() || (room.presets.find(({ id }) => id === item.presetId)?.name ?? 'A preset that is gone')
  const ordering = useOrdering({
    ids: items.map(({ id }) => id),
    move: (id, to) => step({ type: 'move', id, to }),
    reorder: (ids) => step({ type: 'order', ids }),
    announce,
    nameOf(id) {
      const item = items.find((one) => one.id === id)
      return item ? nameOf(item) : 'The item'
    },
  })
  // told of what is saved: what was changed since is checked when it is saved
  const problems = useMemo(() => {
    const stored = new Map(ITEMS.itemsOf(read).map((item) => [item.id, item]))
    const told = new Map(read.items.map(({ id, problem }) => [id, problem]))
    return (item: DraftItem) => {
      const before = stored.get(item.id)
      return before && isSame(before, item) ? (told.get(item.id) ?? undefined) : undefined
    }
  }, [read])
  const add = (presetId: number) => {
    const item = newDraft(presetId)
    step({ type: 'add', items: [item] })
    setOpen(item.id)
    announce(`${nameOf(item)} is added at the end`)
  }
  const wrong = items.filter(({ id }) => faults[id]).length
  const broken = items.filter(problems)
  return (
    <>
      <PageHead
        title="Rundown"
        back={back}
        about={`${overlay.name}. Shows that are written beforehand: one key takes what is cued, and cues the next`}
      >
        <ControlRoomLink look="primary" overlay={overlay} />
      </PageHead>
      <RoleLimit scope="overlays:write" />
      <Conflict
        what={{ whole: 'this rundown', one: 'item' }}
        foreign={list.foreign}
        onMerge={list.merge}
        onTakeTheirs={list.takeTheirs}
      />
      <Failure error={list.error} />
      {list.others.map((text) => (
        <p className="notice notice-bad" role="alert" key={text}>
          {text}
        </p>
      ))}
      {broken.length > 0 && (
        <p className="notice notice-bad" role="alert">
          <b>
            {broken.length === 1 ? 'An item' : `${broken.length} items`} cannot be shown any more:{' '}
            {broken.map(nameOf).join(', ')}.
          </b>{' '}
          The rundown skips {broken.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      {items.length === 0 && (
        <Empty>
          <p>Nothing is written yet. Add presets in the order in which they come: line-ups, sponsors, interviews.</p>
        </Empty>
      )}
      <p className="visually-hidden" id="rundown-order-hint">
        Arrow keys move the item up and down, Home and End to the top and the bottom.
      </p>
      <ol className={ordering.dragged ? 'rundown-items work-dragging' : 'rundown-items'} ref={ordering.list}>
        {items.map((item, index) => (
          <ItemRow
            key={item.id}
            item={item}
            name={nameOf(item)}
            number={index + 1}
            of={items.length}
            at={item.id === read.position.cuedId ? 'cued' : item.id === read.position.takenId ? 'taken' : undefined}
            room={room}
            graphics={graphics}
            match={match}
            profileId={overlay.competitionThemeSettingId ?? undefined}
            faults={faults[item.id]}
            problem={problems(item)}
            mayChange={mayChange}
            isOpen={mayChange && open === item.id}
            handle={ordering.handleOf(item.id)}
            isDragged={ordering.dragged === item.id}
            onOpen={(isOpen) => setOpen(isOpen ? item.id : undefined)}
            onChange={(part) => list.change({ ...item, ...part }, Object.keys(part))}
            onDuplicate={() => {
              step({ type: 'duplicate', id: item.id })
              announce(`${nameOf(item)} is there twice now`)
            }}
            onRemove={() => {
              step({ type: 'remove', ids: [item.id] })
              announce(`${nameOf(item)} is removed. It can be brought back`)
            }}
          />
        ))}
      </ol>
      {mayChange && items.length < MOST && room.presets.length > 0 && (
        <div className="rundown-add">
          <SelectField
            label="Add an item"
            value=""
            onChange={({ target }) => target.value !== '' && add(Number(target.value))}
          >
            <option value="">Choose a preset…</option>
            {room.sections.map((section) => (
              <optgroup key={section.id} label={section.name}>
                {room.presets
                  .filter(({ sectionId }) => sectionId === section.id)
                  .map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </SelectField>
        </div>
      )}
      <Removed removed={list.removed} of="items" onUndo={() => step({ type: 'restore' })} />
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {mayChange && (
        <>
          <SaveBar
            isDirty={list.isDirty}
            isSaved={list.isSaved}
            saved="Saved. Control rooms have it now."
            busy={list.busy}
            said={wrong > 0 && `${wrong} ${wrong === 1 ? 'item needs' : 'items need'} a look.`}
            label="Save the rundown"
            onDiscard={list.discard}
            onSave={list.save}
          />
          <LeaveGuard
            isDirty={list.isDirty}
            about="The rundown has changes that are not saved. Operators have it as it was saved last."
            save={list.save}
          />
        </>
      )}
    </>
  )
}
