import './import.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { newKey, Refusal } from '../../ui/request.ts'
import { api, wordsOf } from '../api.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { RosterPlayerList, Team } from '../shapes.ts'
import { useDrop } from '../use-drop.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { ImportRows } from './import-rows.tsx'
import {
  BATCH,
  batchesOf,
  COLUMNS,
  type Column,
  type Judged,
  judge,
  type Known,
  type Sheet,
  sheetOf,
} from './players-csv.ts'

const EXAMPLE = 'No\tFirst name\tLast name\tPosition\n1\tIngrid\tBerg\tGoalkeeper\n9\tAna María\tLopes\tForward'
const PAGE = 1_000
const PATIENCE_MS = 30_000
const PAUSE_MS = 2_000

/** Players of a team from a spreadsheet: pasted or as a file, looked at row by row before anything is written. */
export function ImportView({ params }: ViewProps) {
  const path = `/v1/teams/${params.teamId}`
  const { value: team, error, reload } = useResource<Team>(path)
  const mayChange = useMay('teams:write')
  const back = { to: `/teams/${params.teamId}`, title: team?.name ?? 'Team' }
  return (
    <>
      <PageHead
        title="Import players"
        back={back}
        about={team && `To the roster of ${team.name}. Nothing is written before you have seen what changes.`}
      />
      <RoleLimit scope="teams:write" />
      {!team && <Waiting error={error} reload={reload} />}
      {team && mayChange && <Import team={team} />}
    </>
  )
}

function Import({ team }: { team: Team }) {
  const roster = useWholeRoster(team.id)
  const [text, setText] = useState('')
  const [source, setSource] = useState('')
  const [sheet, setSheet] = useState<Sheet>()
  const [mapping, setMapping] = useState<readonly Column[]>([])
  const run = useImport(team.id)
  const judged = useMemo(
    () => (sheet && roster.value ? judge(sheet.rows, mapping, roster.value) : undefined),
    [sheet, mapping, roster.value],
  )
  const take = (next: string, from: string) => {
    const read = sheetOf(next)
    setText(next)
    setSource(from)
    setSheet(read.rows.length > 0 ? read : undefined)
    setMapping(read.mapping)
    run.forget()
  }
  const done = async () => {
    await roster.reload()
  }
  if (!roster.value) return <Waiting error={roster.error} reload={roster.reload} />
  return (
    <>
      <Source text={text} source={source} disabled={run.state.is === 'busy'} onTake={take} />
      {sheet && judged && (
        <>
          <Mapping sheet={sheet} mapping={mapping} disabled={run.state.is !== 'ready'} onChange={setMapping} />
          <Preview judged={judged} run={run} teamId={team.id} onDone={done} />
        </>
      )}
    </>
  )
}

function Source({
  text,
  source,
  disabled,
  onTake,
}: {
  text: string
  source: string
  disabled: boolean
  onTake: (text: string, source: string) => void
}) {
  const [fault, setFault] = useState<string>()
  const take = async (file: File) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
      setFault(`${file.name} is a workbook: copy its cells and paste them, or save it as CSV`)
      return
    }
    setFault(undefined)
    onTake(textOf(bytes), file.name)
  }
  const { over, onto } = useDrop(({ files: [file] }) => file && void take(file))
  // a text of megabytes makes a field slow, and nobody reads it there
  const isLong = text.length > 200_000
  return (
    <Panel
      title="1. The list"
      about="Copy the cells in Excel, Numbers or Google Sheets and paste them here, or drop a CSV file."
    >
      <fieldset className={over ? 'import-source import-over' : 'import-source'} disabled={disabled} {...onto}>
        <Field label="Cells or lines" error={fault} hint={source ? `From ${source}` : undefined}>
          {(given) => (
            <textarea
              className="input import-text"
              rows={8}
              placeholder={EXAMPLE}
              readOnly={isLong}
              value={isLong ? `${text.slice(0, 2_000)}\n…` : text}
              onChange={({ target }) => onTake(target.value, '')}
              {...given}
            />
          )}
        </Field>
        <div className="import-buttons">
          <label className="button">
            Choose a file
            <input
              className="visually-hidden"
              type="file"
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) void take(file)
                target.value = ''
              }}
            />
          </label>
          {text !== '' && (
            <Button look="quiet" onClick={() => onTake('', '')}>
              Start again
            </Button>
          )}
        </div>
      </fieldset>
    </Panel>
  )
}

/** What older spreadsheets save is no UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function Mapping({
  sheet,
  mapping,
  disabled,
  onChange,
}: {
  sheet: Sheet
  mapping: readonly Column[]
  disabled: boolean
  onChange: (mapping: readonly Column[]) => void
}) {
  const [sample] = sheet.rows
  return (
    <Panel title="2. The columns" about="An empty cell leaves what is there.">
      <div className="import-columns">
        {mapping.map((column, at) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={at}
            label={sheet.header?.[at] || `Column ${at + 1}`}
            hint={sample?.cells[at] ? `such as “${sample.cells[at].slice(0, 40)}”` : undefined}
            value={column}
            disabled={disabled}
            onChange={({ target }) => {
              const [chosen = ''] = COLUMNS.find(([name]) => name === target.value) ?? []
              // one column for each field
              onChange(mapping.map((one, index) => (index === at ? chosen : one === chosen ? '' : one)))
            }}
          >
            {COLUMNS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </Panel>
  )
}

const players = (count: number) => (count === 1 ? '1 player' : `${count.toLocaleString('en')} players`)

function Preview({
  judged,
  run,
  teamId,
  onDone,
}: {
  judged: readonly Judged[]
  run: Run
  teamId: number
  onDone: () => Promise<void>
}) {
  const { made, changed, wrong } = countsOf(judged)
  const { state } = run
  return (
    <Panel title="3. What changes" about={`${judged.length.toLocaleString('en')} lines were read.`}>
      <ImportRows judged={judged} />
      <footer className="import-end">
        {state.is === 'ready' && (
          <>
            <Button look="primary" disabled={made + changed === 0} onClick={() => void run.start(judged).then(onDone)}>
              {made + changed === 0 ? 'Nothing to import' : `Import ${players(made + changed)}`}
            </Button>
            {wrong > 0 && (
              <p>
                {wrong === 1 ? 'The wrong line is' : `The ${wrong} wrong lines are`} left out; mend them and import
                again, nobody is doubled.
              </p>
            )}
          </>
        )}
        {state.is === 'busy' && (
          <p className="import-progress" role="status">
            <progress max={state.of} value={state.written} aria-label="Written" />
            {state.written.toLocaleString('en')} of {players(state.of)}
            {state.waits && ', waiting for the server: nothing is lost'}
          </p>
        )}
        {state.is === 'stopped' && (
          <div className="notice notice-bad" role="alert">
            <p>
              {players(state.written)} of {state.of} are written. The lines {state.lines} were refused, none of them was
              written: {state.reason}
            </p>
            <ul>
              {state.faults.map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </div>
        )}
        {state.is === 'done' && (
          <div className="notice notice-good" role="status">
            <p>
              {state.made > 0 && `${players(state.made)} made. `}
              {state.changed > 0 && `${players(state.changed)} changed. `}
              {state.wrong > 0 && `${state.wrong} wrong ${state.wrong === 1 ? 'line was' : 'lines were'} left out.`}
            </p>
            <Link className="button button-primary" to={`/teams/${teamId}`}>
              To the team
            </Link>
          </div>
        )}
      </footer>
    </Panel>
  )
}

type Counts = { made: number; changed: number; wrong: number }

function countsOf(judged: readonly Judged[]): Counts {
  const count = (is: Judged['is']) => judged.filter((row) => row.is === is).length
  return { made: count('new'), changed: count('changed'), wrong: count('wrong') }
}

type State =
  | { is: 'ready' }
  | { is: 'busy'; written: number; of: number; waits: boolean }
  | { is: 'stopped'; written: number; of: number; lines: string; reason: string; faults: readonly string[] }
  /** As they were counted before: what was written is on the roster now. */
  | ({ is: 'done' } & Counts)

type Run = ReturnType<typeof useImport>

/**
 * Writes the rows in batches, each with an Idempotency-Key that stays the same however often it is sent: a batch whose answer was lost is
 * sent again until it is answered, and is done once.
 */
function useImport(teamId: number) {
  const [state, setState] = useState<State>({ is: 'ready' })
  const over = useRef(false)
  useEffect(() => {
    over.current = false
    return () => {
      over.current = true
    }
  }, [])
  useLeaving(state.is === 'busy')

  async function start(judged: readonly Judged[]): Promise<void> {
    const batches = batchesOf(judged)
    const of = batches.reduce((sum, { players: some }) => sum + some.length, 0)
    let written = 0
    for (const { lines, players: some } of batches) {
      const key = newKey()
      for (;;) {
        if (over.current) return
        setState({ is: 'busy', written, of, waits: false })
        try {
          await api('POST', `/v1/teams/${teamId}/players/batch`, {
            ...{ key, body: { players: some }, patienceMs: PATIENCE_MS },
          })
          break
        } catch (error) {
          if (!mayComeRight(error)) {
            setState({ is: 'stopped', written, of, lines: `${lines[0]} to ${lines.at(-1)}`, ...told(error, lines) })
            return
          }
          setState({ is: 'busy', written, of, waits: true })
          await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS))
        }
      }
      written += some.length
    }
    setState({ is: 'done', ...countsOf(judged) })
  }
  return { state, start, forget: () => setState({ is: 'ready' }) }
}

/** Out of reach, too many requests, or busy. */
const mayComeRight = (error: unknown) => error instanceof Refusal && [0, 429, 502, 503, 504].includes(error.status)

/** The reasons of the server, by the line of the file. */
function told(error: unknown, lines: readonly number[]) {
  const details = error instanceof Refusal ? Object.entries(error.details) : []
  const faults = details.map(([path, { message }]) => {
    const [, at, field] = /^body\.players\[(\d+)\]\.?(.*)$/.exec(path) ?? []
    return at === undefined ? message : `Line ${lines[Number(at)]}: ${field ? `${field} ` : ''}${message}`
  })
  return { reason: wordsOf(error), faults }
}

/** The browser asks before the page is left. */
function useLeaving(isBusy: boolean) {
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isBusy])
}

/** Everybody on the roster, however many. */
function useWholeRoster(teamId: number) {
  const [value, setValue] = useState<readonly Known[]>()
  const [error, setError] = useState<unknown>()
  const reload = async () => {
    try {
      const all: Known[] = []
      for (;;) {
        const page = await api<RosterPlayerList>(
          'GET',
          `/v1/teams/${teamId}/players?limit=${PAGE}&offset=${all.length}`,
        )
        all.push(...page.players)
        if (page.returned === 0 || all.length >= page.total) break
      }
      setValue(all)
      setError(undefined)
    } catch (failure) {
      setError(failure)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each team
  useEffect(() => void reload(), [teamId])
  return { value, error, reload }
}

export const BATCH_SIZE = BATCH
