import './lineup.css'
import { useId, useState } from 'react'
import { Button } from '../button.tsx'
import { DragHandle } from '../drag-handle.tsx'
import { TextField } from '../field.tsx'
import { useOrdering } from '../use-ordering.ts'
import {
  BENCH,
  benchOf,
  type Draft,
  draftOf,
  type Fielded,
  faultsOf,
  fitted,
  moved,
  OUT,
  outOf,
  type SentLineup,
  type Sizes,
  type Squad,
  sentOf,
  sentTo,
  startersOf,
  usual,
} from './draft.ts'

type Part = 'starters' | 'bench' | 'out'
const PARTS: readonly (readonly [Part, string])[] = [
  ['starters', 'Start'],
  ['bench', 'Bench'],
  ['out', 'Out'],
]

/**
 * The line-up of one team: dragged, moved with the arrow keys, or sent from part to part with a press. What is wrong stands at the
 * player, in the words of the server. show-control: Match desk
 */
export function LineupEditor({
  team,
  sizes,
  earlier,
  refused,
  busy = false,
  saved,
  onSave,
}: {
  team: { id: number; name: string; roster: Squad; lineup: (Fielded & { isSet?: boolean }) | null }
  sizes: Sizes
  /** The line-up of the match before; undefined when there is none. */
  earlier: () => Promise<Fielded | undefined>
  /** What the server said of the last one that was sent, by player. */
  refused?: ReadonlyMap<string, readonly string[]> | undefined
  busy?: boolean
  /** What became of what was saved last, until something is changed. */
  saved?: string | undefined
  onSave: (sent: SentLineup) => void
}) {
  const { roster } = team
  const [worked, setDraft] = useState<Draft>(() => draftOf(roster, team.lineup))
  // the squad may be read anew while somebody works
  const draft = fitted(worked, roster)
  const [said, setSaid] = useState('')
  const [kept, setKept] = useState<Draft>()
  const hint = useId()
  const nameOf = (id: string) => {
    const player = roster.find((one) => String(one.id) === id)
    return player ? `${player.firstName} ${player.lastName}`.trim() : ''
  }
  const ordering = useOrdering({
    ids: draft.order,
    move: (id, to) => setDraft((before) => moved(fitted(before, roster), id, to)),
    reorder: (order) => setDraft((before) => ({ ...fitted(before, roster), order })),
    announce: setSaid,
    nameOf,
  })
  const sent = sentOf(team.id, roster, draft)
  const faults = faultsOf(sent, roster, sizes)
  const starters = startersOf(draft)
  const partOf = (id: string): Part =>
    starters.includes(id) ? 'starters' : benchOf(draft).includes(id) ? 'bench' : 'out'
  const change = (next: Draft, words: string) => {
    setDraft(next)
    setSaid(words)
  }
  const fromEarlier = async () => {
    let found: Fielded | undefined
    try {
      found = await earlier()
    } catch (error) {
      setSaid(error instanceof Error ? error.message : 'It could not be read')
      return
    }
    if (!found) {
      setSaid(`${team.name} has no line-up in a match before this one`)
      return
    }
    const left = found.players.filter(({ id }) => !roster.some((one) => one.id === id)).length
    const words = left === 0 ? 'As in the match before' : `As in the match before, without ${left} who left the squad`
    change(draftOf(roster, found), words)
  }
  return (
    <section className={ordering.dragged ? 'lineup lineup-dragging' : 'lineup'} aria-label={`Line-up of ${team.name}`}>
      <div className="lineup-from">
        <Button small onClick={() => change(usual(roster, sizes), 'The usual line-up of the squad')}>
          Usual line-up
        </Button>
        <Button small onClick={() => void fromEarlier()}>
          Last match
        </Button>
        <Button small onClick={() => change(draftOf(roster, { formation: null, players: [] }), 'Nobody is lined up')}>
          Empty
        </Button>
      </div>
      <TextField
        label="Formation"
        placeholder="4-3-3"
        maxLength={32}
        value={draft.formation}
        onChange={(event) => setDraft({ ...draft, formation: event.target.value })}
      />
      <p className="lineup-said" role="status">
        {said}
      </p>
      <p className="visually-hidden" id={hint}>
        Drag, or press the arrow keys, also from one part to another
      </p>
      {/* outside of the list, whose children are what is dragged over */}
      <p className="lineup-part">
        Starters <Count now={starters.length} most={sizes.startingSize} />
      </p>
      <ol className="lineup-list" ref={ordering.list}>
        {draft.order.map((id, index) =>
          id === BENCH || id === OUT ? (
            <li className="lineup-part" data-id={id} key={id}>
              {id === BENCH ? (
                <>
                  Bench <Count now={benchOf(draft).length} most={sizes.benchSize} />
                </>
              ) : (
                <>Not in the squad of the day {outOf(draft).length > 0 && <span>{outOf(draft).length}</span>}</>
              )}
            </li>
          ) : (
            <Player
              key={id}
              id={id}
              name={nameOf(id)}
              place={`${index + 1} of ${draft.order.length}`}
              hint={hint}
              part={partOf(id)}
              draft={draft}
              dragged={ordering.dragged === id}
              faults={[...(faults.get(id) ?? []), ...(refused?.get(id) ?? [])]}
              handle={ordering.handleOf(id)}
              onDraft={change}
            />
          ),
        )}
      </ol>
      {(refused?.get('') ?? []).map((words) => (
        <p className="field-error" role="alert" key={words}>
          {words}
        </p>
      ))}
      <div className="lineup-save">
        <span>
          {faults.size > 0 ? (
            <b className="lineup-wrong">
              {faults.size} {faults.size === 1 ? 'player' : 'players'} to put right
            </b>
          ) : (
            `${starters.length} start, ${benchOf(draft).length} on the bench`
          )}
          {saved && worked === kept && (
            <b className="lineup-saved" role="status">
              {saved}
            </b>
          )}
        </span>
        <Button
          look="primary"
          disabled={busy || faults.size > 0}
          onClick={() => {
            setKept(worked)
            onSave(sent)
          }}
        >
          Save the line-up
        </Button>
      </div>
    </section>
  )
}

const Count = ({ now, most }: { now: number; most: number }) => (
  <span className={now > most ? 'lineup-wrong tabular' : 'tabular'}>
    {now}/{most}
  </span>
)

function Player({
  id,
  name,
  place,
  hint,
  part,
  draft,
  dragged,
  faults,
  handle,
  onDraft,
}: {
  id: string
  name: string
  place: string
  hint: string
  part: Part
  draft: Draft
  dragged: boolean
  faults: readonly string[]
  handle: ReturnType<ReturnType<typeof useOrdering>['handleOf']>
  onDraft: (draft: Draft, words: string) => void
}) {
  const entry = draft.entries[id] ?? { number: '', position: '' }
  const write = (change: Partial<typeof entry>) =>
    onDraft({ ...draft, entries: { ...draft.entries, [id]: { ...entry, ...change } } }, '')
  const faultId = useId()
  const isCaptain = draft.captain === id
  return (
    <li data-id={id} className={`lineup-player lineup-${part}${dragged ? ' lineup-dragged' : ''}`}>
      <DragHandle name={name} place={place} hint={hint} handle={handle} />
      <input
        className="input lineup-number tabular"
        inputMode="numeric"
        maxLength={3}
        aria-label={`Number of ${name}`}
        aria-invalid={faults.length > 0}
        aria-describedby={faults.length > 0 ? faultId : undefined}
        value={entry.number}
        onChange={(event) => write({ number: event.target.value })}
      />
      <span className="lineup-name">
        {name}
        <input
          className="lineup-position"
          placeholder="Position"
          maxLength={40}
          aria-label={`Position of ${name}`}
          value={entry.position}
          onChange={(event) => write({ position: event.target.value })}
        />
      </span>
      <span className="lineup-moves">
        {part !== 'out' && (
          <button
            type="button"
            className="lineup-captain"
            aria-pressed={isCaptain}
            aria-label={`Captain ${name}`}
            title="Captain"
            onClick={() =>
              onDraft({ ...draft, captain: isCaptain ? undefined : id }, isCaptain ? '' : `${name} is captain`)
            }
          >
            C
          </button>
        )}
        {PARTS.filter(([other]) => other !== part).map(([other, title]) => (
          <button
            type="button"
            key={other}
            className="lineup-move"
            onClick={() => onDraft(sentTo(draft, id, other), `${name}: ${title.toLowerCase()}`)}
          >
            {title}
            <span className="visually-hidden"> {name}</span>
          </button>
        ))}
      </span>
      {faults.length > 0 && (
        <p className="lineup-fault" id={faultId}>
          {faults.join(', ')}
        </p>
      )}
    </li>
  )
}
