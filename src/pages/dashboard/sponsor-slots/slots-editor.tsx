import { useCallback, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { newKey } from '../../ui/new-key.ts'
import { useOrdering } from '../../ui/use-ordering.ts'
import type { Rule } from '../game-plan/draft.ts'
import { Empty, Failure, PageHead } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Brand, Competition, Preset, ProofOfPlay, SponsorSlots, ThemeProfile } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { Conflict } from '../worked-list/conflict.tsx'
import { LeaveGuard } from '../worked-list/leave-guard.tsx'
import { Removed } from '../worked-list/removed.tsx'
import { SaveBar } from '../worked-list/save-bar.tsx'
import { useWorkedList } from '../worked-list/use-worked-list.ts'
import { type DraftSlot, naming, SLOTS, unmade } from './draft.ts'
import { SlotCard } from './slot-card.tsx'

type Props = {
  back: { to: string; title: string }
  competition: Competition
  profile: ThemeProfile
  brands: readonly Brand[]
  read: SponsorSlots
  reload: () => Promise<void>
  path: string
  /** Presets of the theme and rules of the profile's plan, some of which name slots. */
  presets: readonly Preset[]
  rules: readonly Rule[]
}

/** Slots with their brands, to be added, shared out, put into order and removed. */
export function SlotsEditor({ back, competition, profile, brands, read, reload, path, presets, rules }: Props) {
  const mayChange = useMay('competitions:write')
  const slots = useWorkedList(SLOTS, path, { read, reload })
  const { items, step, faults } = slots
  const [said, setSaid] = useState('')
  const [added, setAdded] = useState<string>()
  const brandOf = useMemo(() => {
    const byId = new Map(brands.map((brand) => [brand.id, brand]))
    return (id: number) => byId.get(id)
  }, [brands])
  const proof = useResource<ProofOfPlay>(`/v2/competitions/${competition.id}/proof-of-play?limit=1`).value
  const announce = useCallback((text: string) => setSaid(text), [])
  const { list, dragged, handleOf } = useOrdering({
    ids: items.map(({ id }) => id),
    move: (id, to) => step({ type: 'move', id, to }),
    reorder: (ids) => step({ type: 'order', ids }),
    announce,
    nameOf: (id) => items.find((slot) => slot.id === id)?.name || 'The slot',
  })
  const usesOf = (id: string) => ({
    presets: naming(presets, id),
    rules: naming(rules, id),
  })
  const named = unmade([...presets, ...rules], items)
  const add = (slot: DraftSlot) => {
    step({ type: 'add', items: [slot] })
    setAdded(slot.id)
    announce('A slot is added at the end')
  }
  const plan = `/game-plans/${competition.id}/${profile.id}`
  const wrong = items.filter(({ id }) => faults[id]).length
  const [gone] = slots.removed.at(-1)?.items ?? []
  const missed = gone && usesOf(gone.item.id)
  const isMissed = missed !== undefined && missed.presets.length + missed.rules.length > 0
  return (
    <>
      <PageHead
        title={`Sponsor slots: ${profile.name}`}
        back={back}
        about={`${competition.name}. A graphic with a slot shows the brand that is furthest behind its share of what was seen`}
      >
        <Link className="button" to={plan}>
          Game plan
        </Link>
        <Link className="button" to={`/brands?show=delivery&competition=${competition.id}`}>
          Promised and painted
        </Link>
      </PageHead>
      <RoleLimit scope="competitions:write" />
      <Conflict
        what={{ whole: 'these slots', one: 'slot' }}
        foreign={slots.foreign}
        onMerge={slots.merge}
        onTakeTheirs={slots.takeTheirs}
      />
      <Failure error={slots.error} />
      {slots.others.map((text) => (
        <p className="notice notice-bad" role="alert" key={text}>
          {text}
        </p>
      ))}
      {brands.length === 0 && (
        <p className="notice">
          There are no brands yet. <Link to="/brands">Add them first</Link>, then share a slot among them.
        </p>
      )}
      {items.length === 0 && (
        <Empty>
          <p>
            No sponsor slots yet. A slot is a place that brands share, such as “Breaks” or “Line-ups”: a graphic that
            names it shows one of them.
          </p>
        </Empty>
      )}
      <p className="visually-hidden" id="slots-order-hint">
        Arrow keys move it up and down, Home and End to the top and the bottom.
      </p>
      <ol className={dragged ? 'slot-cards work-dragging' : 'slot-cards'} ref={list}>
        {items.map((slot, index) => (
          <SlotCard
            key={slot.id}
            slot={slot}
            place={`${index + 1} of ${items.length}`}
            handle={handleOf(slot.id)}
            isDragged={dragged === slot.id}
            isNew={added === slot.id}
            brands={brands}
            brandOf={brandOf}
            seen={proof?.slots.find(({ slotId }) => slotId === slot.id)}
            uses={usesOf(slot.id)}
            planPath={plan}
            faults={faults[slot.id]}
            mayChange={mayChange}
            announce={announce}
            onChange={(part) => slots.change({ ...slot, ...part }, Object.keys(part))}
            onRemove={() => {
              step({ type: 'remove', ids: [slot.id] })
              announce(`${slot.name || 'The slot'} is removed. It can be brought back`)
            }}
          />
        ))}
      </ol>
      {mayChange && named.length > 0 && (
        <p className="notice">
          {named.map(({ name }) => `“${name}”`).join(' and ')} {named.length === 1 ? 'is a slot' : 'are slots'} that
          presets of the theme ask for: until then these show no brand.
        </p>
      )}
      {mayChange && (
        <div className="form-actions">
          <Button
            {...(items.length === 0 && named.length === 0 && { look: 'primary' })}
            onClick={() => add({ id: newKey(), name: '', brands: [] })}
          >
            Add a slot
          </Button>
          {named.map((slot) => (
            <Button key={slot.id} {...(items.length === 0 && { look: 'primary' })} onClick={() => add(slot)}>
              Add “{slot.name}”
            </Button>
          ))}
        </div>
      )}
      <Removed
        removed={slots.removed}
        of="slots"
        {...(isMissed && { about: 'What names it would show no brand' })}
        onUndo={() => step({ type: 'restore' })}
      />
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {mayChange && (
        <>
          <SaveBar
            isDirty={slots.isDirty}
            isSaved={slots.isSaved}
            saved="Saved. The next graphic with a slot follows it."
            busy={slots.busy}
            said={wrong > 0 && `${wrong} ${wrong === 1 ? 'slot needs' : 'slots need'} a look.`}
            label="Save the slots"
            onDiscard={slots.discard}
            onSave={slots.save}
          />
          <LeaveGuard
            isDirty={slots.isDirty}
            about="The slots have changes that are not saved. Brands share the time as it was saved last."
            save={slots.save}
          />
        </>
      )}
    </>
  )
}
