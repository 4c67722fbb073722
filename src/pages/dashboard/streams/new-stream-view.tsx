import '../matches/new-match.css'
import './streams.css'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useMatches } from '../match-names.ts'
import { PartRefusal, Steps } from '../matches/steps.ts'
import { Failure, PageHead } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { OverlayList, StreamInputList } from '../shapes.ts'
import { fieldsOf, useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { createStream, type Made } from './create-stream.ts'
import { DestinationFields } from './destination-fields.tsx'
import { GraphicsFields } from './graphics-fields.tsx'
import { MatchField } from './match-field.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import {
  type DestinationDraft,
  destinationNameOf,
  inputNameOf,
  isEmpty,
  newDestination,
  newStreamDraft,
  type Problems,
  partOf,
  problemsOf,
  type StreamDraft,
  streamNameOf,
} from './stream-draft.ts'
import { VideoFields } from './video-fields.tsx'

const back = { to: '/streams', title: 'Streams' }

/** One form for a stream with its input, its destinations and its schedule. */
export function NewStreamView() {
  const match = useSearch().get('match') ?? ''
  if (useMay('streams:write')) return <NewStream matchId={match} />
  return (
    <>
      <PageHead title="New stream" back={back} />
      <RoleLimit scope="streams:write" />
    </>
  )
}

function NewStream({ matchId }: { matchId: string }) {
  const [draft, setDraft] = useState(() => newStreamDraft(matchId))
  const [problems, setProblems] = useState<Problems>({})
  /** The ids of parts that are there already; these cannot be changed here any more. */
  const [made, setMade] = useState<Made>(new Map())
  const steps = useRef(new Steps())
  const form = useRef<HTMLFormElement>(null)
  const matches = useMatches()
  const match = matches.get(Number(draft.match))
  const overlays = useResource<OverlayList>(draft.match && `/v2/overlays?limit=1000&matchId=${draft.match}`).value
  const inputs = useResource<StreamInputList>('/v1/streams/inputs?limit=1000').value?.inputs ?? []
  const set = (change: Partial<StreamDraft>) => setDraft((last) => ({ ...last, ...change }))
  const setDestination = ({ key }: DestinationDraft, change: Partial<DestinationDraft>) =>
    setDraft((last) => ({
      ...last,
      destinations: last.destinations.map((one) => (one.key === key ? { ...one, ...change } : one)),
    }))

  const first = String(overlays?.overlays[0]?.id ?? '')
  useEffect(() => {
    // the output that viewers see is burned in unless somebody says otherwise
    setDraft((last) => ({ ...last, overlay: first }))
  }, [first])

  const create = useCommand(async () => {
    const onMade = (part: string, id: number) => setMade((last) => new Map(last).set(part, id))
    try {
      const id = await createStream(steps.current, draft, { match, made, onMade })
      navigate(`/streams/${id}?new`, { replace: true })
    } catch (error) {
      if (error instanceof PartRefusal) tell(prefixed(error))
      throw error
    }
  })
  /** Tells the faults at their fields, and goes to the first of them. */
  const tell = (found: Problems) => {
    setProblems(found)
    const [name] = Object.keys(found)
    if (name) form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft, match)
    tell(found)
    if (isEmpty(found)) void create.run(undefined)
  }
  const addition = useRef<HTMLButtonElement>(null)
  const remove = (destination: DestinationDraft) => {
    set({ destinations: draft.destinations.filter((one) => one !== destination) })
    // the button that was pressed is gone
    addition.current?.focus()
  }
  const add = () => {
    const key = Math.max(0, ...draft.destinations.map((one) => one.key)) + 1
    set({ destinations: [...draft.destinations, newDestination(key)] })
  }
  const streamId = made.get('stream')
  return (
    <>
      <PageHead title="New stream" about="What comes in, what is burned in, and where it goes" back={back} />
      <form className="new-match" ref={form} onSubmit={submit} noValidate>
        <Part title="Stream" made={made.has('stream')}>
          <MatchField
            matches={[...matches.values()]}
            value={draft.match}
            error={problems['stream.match'] ?? problems['stream.matchId']}
            onChange={(id) => set({ match: id, overlay: '', before: undefined, after: undefined })}
          />
          <TextField
            label="Name"
            name="stream.name"
            maxLength={100}
            placeholder={streamNameOf(draft, match) || 'As the match'}
            error={problems['stream.name']}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
          <GraphicsFields draft={draft} overlays={overlays?.overlays ?? []} problems={problems} onChange={set} />
        </Part>
        <div className="stack">
          <Part title="Video in" made={made.has('input')}>
            <VideoFields
              draft={draft}
              inputs={inputs}
              problems={problems}
              named={inputNameOf({ ...draft, inputName: '' }, match)}
              onChange={set}
            />
          </Part>
          <Part title="Auto Stream">
            <ScheduleFields draft={draft} match={match} problems={problems} onChange={set} />
          </Part>
        </div>
        <section className="panel stack new-destinations" aria-labelledby="destinations">
          <h2 className="section-title" id="destinations">
            Destinations
          </h2>
          {draft.destinations.length === 0 && (
            <p className="field-hint">None: the stream can be looked at, and gets destinations later.</p>
          )}
          {draft.destinations.map((destination, index) => {
            const part = partOf(destination)
            return (
              <Part key={part} title={`Destination ${index + 1}`} inner made={made.has(part)}>
                <DestinationFields
                  draft={destination}
                  part={part}
                  problems={within(part, problems)}
                  onChange={(change) => setDestination(destination, change)}
                />
                {!made.has(part) && (
                  <Button small className="destination-removal" onClick={() => remove(destination)}>
                    Remove<span className="visually-hidden"> destination {index + 1}</span>
                  </Button>
                )}
              </Part>
            )
          })}
          <Button ref={addition} onClick={add}>
            Add a destination
          </Button>
        </section>
        <footer className="new-match-end">
          {made.size > 0 && <MadeSoFar draft={draft} made={made} />}
          <Failure error={create.error} />
          <Button type="submit" look="primary" disabled={create.busy}>
            {create.busy ? 'Creating…' : streamId === undefined ? 'Create the stream' : 'Go on'}
          </Button>
          {streamId === undefined ? (
            <Link className="button" to={matchId ? `/matches/${matchId}` : '/streams'}>
              Cancel
            </Link>
          ) : (
            <Link className="button" to={`/streams/${streamId}`}>
              Leave it as it is
            </Link>
          )}
        </footer>
      </form>
    </>
  )
}

/** A group of fields; once it is made nothing of it can be changed here. */
function Part({
  title,
  made = false,
  inner = false,
  children,
}: {
  title: string
  made?: boolean
  inner?: boolean
  children: ReactNode
}) {
  return (
    <fieldset className={inner ? 'stack destination-part' : 'panel stack'} disabled={made}>
      <legend className={inner ? 'field-label' : 'section-title'}>
        <span className="part-title">
          {title} {made && <Badge tone="good">Made</Badge>}
        </span>
      </legend>
      {children}
    </fieldset>
  )
}

/** A later part was refused: the parts that are there already, and how it goes on. */
function MadeSoFar({ draft, made }: { draft: StreamDraft; made: Made }) {
  const parts = [
    made.has('input') && 'the input',
    made.has('stream') && 'the stream',
    ...draft.destinations.map((one) => made.has(partOf(one)) && `the destination ${destinationNameOf(one)}`),
  ].filter(Boolean)
  return (
    <p className="notice" role="status">
      Made so far: {parts.join(', ')}. What is left is made when you press again; nothing is made twice.
    </p>
  )
}

/** The reasons of a refusal by the names of the fields in this form: `d1.url`. */
const prefixed = (error: PartRefusal): Problems =>
  Object.fromEntries(Object.entries(fieldsOf(error)).map(([field, reason]) => [`${error.part}.${field}`, reason]))

const within = (part: string, problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) =>
      name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), problem]] : [],
    ),
  )
