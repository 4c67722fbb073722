import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useMedia } from '../ui/use-media.ts'
import { useWakeLock } from '../ui/use-wake-lock.ts'
import { type FactButton, factWords } from './buttons.ts'
import { FactDialog } from './fact-dialog.tsx'
import { Facts } from './facts.tsx'
import { HandDialog } from './hand-dialog.tsx'
import { Lineups } from './lineups.tsx'
import type { DeskLink } from './link.ts'
import type { DeskFact, Projected } from './model.ts'
import { Pad } from './pad.tsx'
import type { FactSaid, Press } from './press.ts'
import { isEditable, PressDialog } from './press-dialog.tsx'
import { Scoreboard } from './scoreboard.tsx'
import { type Side, sidesOf } from './sides.ts'
import { keyOf, type Twice, toldTwice } from './twice.ts'
import { type DeskParts, targetOf, useDesk } from './use-desk.ts'
import { LineChip, Notices, WaitingDialog } from './waiting.tsx'
import { WhoSheet } from './who-sheet.tsx'

const TABS = [
  ['play', 'Match'],
  ['facts', 'Facts'],
  ['lineups', 'Line-ups'],
] as const
type Tab = (typeof TABS)[number][0]

/** A tablet lying on its side has room for what happened beside the buttons. */
const WIDE = '(min-width: 900px)'

const PUT_BACK_MS = 10_000

/** The page of whoever is at the pitch with a telephone: one match, and nothing else. show-control: Match desk */
export function MatchDesk({ link }: { link: DeskLink }) {
  useWakeLock()
  const desk = useDesk(link)
  const { state, match, fault } = desk
  const isWide = useMedia(WIDE)
  const [chosen, setTab] = useState<Tab>('play')
  const tab = isWide && chosen === 'facts' ? 'play' : chosen
  const [looking, setLooking] = useState(false)
  const [righting, setRighting] = useState<Press>()
  const openWaiting = () => setLooking(true)
  /** Where a refused press is put right: a line-up in its editor, all else in a dialog. */
  const rightingOf = (press: Press) => {
    const isLineup = press.command.type === 'lineup'
    if (!match || !(isLineup || isEditable(press, match))) return undefined
    return () => {
      setLooking(false)
      if (isLineup) setTab('lineups')
      else setRighting(press)
    }
  }
  const name = match ? nameOf(match) : 'Match desk'
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <div className="desk">
      <header className="desk-top">
        <h1 className="desk-name cut">{name}</h1>
        <LineChip state={state} onOpen={openWaiting} />
      </header>
      <Notices state={state} fault={fault} onOpen={openWaiting} />
      {match ? (
        <AtMatch desk={desk} match={match} tab={tab} isWide={isWide} />
      ) : (
        <main className="desk-empty">
          {state.line === 'gone'
            ? 'There is nothing here.'
            : 'This telephone has not read the match yet: it needs the line once.'}
        </main>
      )}
      <nav className="desk-tabs" aria-label="Parts of the desk">
        {TABS.filter(([id]) => !isWide || id !== 'facts').map(([id, title]) => (
          <button
            type="button"
            key={id}
            className="desk-tab"
            aria-current={tab === id ? 'page' : undefined}
            onClick={() => {
              setTab(id)
              // each part is read from its top
              window.scrollTo(0, 0)
            }}
          >
            {title}
            {id === 'facts' && match && <span className="desk-tab-count tabular">{match.facts.length}</span>}
          </button>
        ))}
      </nav>
      {looking && (
        <WaitingDialog
          state={state}
          match={match}
          onDiscard={(id) => void link.outbox.discard(id)}
          onRetry={(id) => void desk.retry(id)}
          onChange={rightingOf}
          onClose={() => setLooking(false)}
        />
      )}
      {righting && match && (
        <PressDialog
          press={righting}
          match={match}
          sides={sidesOf(match)}
          onSaid={(command) => void desk.retry(righting.id, command)}
          onDiscard={() => void link.outbox.discard(righting.id)}
          onClose={() => setRighting(undefined)}
        />
      )}
    </div>
  )
}

function AtMatch({ desk, match, tab, isWide }: { desk: DeskParts; match: Projected; tab: Tab; isWide: boolean }) {
  const { state, press, correct, erase } = desk
  const sides = sidesOf(match)
  const [asked, setAsked] = useState<{ id: string; button: FactButton; side: Side }>()
  const [edited, setEdited] = useState<DeskFact>()
  const [byHand, setByHand] = useState(false)
  const [gone, setGone] = useState<DeskFact>()
  useEffect(() => {
    if (!gone) return
    const timer = window.setTimeout(() => setGone(undefined), PUT_BACK_MS)
    return () => window.clearTimeout(timer)
  }, [gone])
  const onFact = async (button: FactButton, side: Side) => {
    const { type, points } = button
    const fact = { type, ...side.said, ...(points !== undefined && { points }) }
    const id = await press({ type: 'record', fact })
    // who plays alone need not be asked for; a kind of it must still be said
    const asks = side.players.length > 1 || button.kinds.length > 0
    setAsked(id !== undefined && asks ? { id, button, side } : undefined)
  }
  const remove = (fact: DeskFact) => {
    void erase(fact)
    setGone(fact)
  }
  return (
    <>
      <Scoreboard match={match} sides={sides} offsetMs={state.offsetMs} onClock={() => setByHand(true)} />
      <div className="desk-columns" key={tab}>
        <main className="desk-main">
          <AskTwice
            desk={desk}
            match={match}
            sides={sides}
            onOne={({ kept, dropped, more }) => {
              if (Object.keys(more).length > 0) void correct(targetOf(kept), more)
              remove(dropped)
            }}
          />
          {tab === 'play' && (
            <Pad
              match={match}
              sides={sides}
              onFact={(button, side) => void onFact(button, side)}
              onCourse={(command) => void press(command)}
              onMore={() => setByHand(true)}
            />
          )}
          {tab === 'lineups' && <Lineups match={match} desk={desk} />}
          {tab === 'facts' && <Facts match={match} sides={sides} onOpen={setEdited} />}
        </main>
        {isWide && tab === 'play' && (
          <aside className="desk-beside" aria-label="What happened">
            <h2>What happened</h2>
            <Facts match={match} sides={sides} onOpen={setEdited} />
          </aside>
        )}
      </div>
      {tab !== 'lineups' && (
        <UndoBar
          match={match}
          sides={sides}
          mine={desk.mine}
          gone={gone}
          onUndo={remove}
          onPutBack={(fact) => {
            setGone(undefined)
            void press({ type: 'record', fact: saidOf(fact) })
          }}
        />
      )}
      {asked && (
        <WhoSheet
          key={asked.id}
          button={asked.button}
          side={asked.side}
          onSaid={(fact) => void correct({ press: asked.id }, fact)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {edited && (
        <FactDialog
          fact={edited}
          match={match}
          sides={sides}
          onSaid={(fact) => Object.keys(fact).length > 0 && void correct(targetOf(edited), fact)}
          onErase={() => remove(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {byHand && (
        <HandDialog
          match={match}
          offsetMs={state.offsetMs}
          onSaid={(command) => void press(command)}
          onClose={() => setByHand(false)}
        />
      )}
    </>
  )
}

/** The last press of this telephone can be taken back, and what was taken back be put back. */
function UndoBar({
  match,
  sides,
  mine,
  gone,
  onUndo,
  onPutBack,
}: {
  match: Projected
  sides: readonly Side[]
  mine: readonly string[]
  gone: DeskFact | undefined
  onUndo: (fact: DeskFact) => void
  onPutBack: (fact: DeskFact) => void
}) {
  const last = mine
    .map((id) => match.facts.find(({ clientFactId }) => clientFactId === id))
    .filter((fact) => fact !== undefined)
    .at(-1)
  const words = (fact: DeskFact) =>
    [factWords(match, fact), sides.find(({ said }) => said.teamId === fact.teamId)?.shortName].filter(Boolean).join(' ')
  if (gone && !match.facts.some(({ id }) => id === gone.id))
    return (
      <div className="undo">
        <span className="cut">Taken back: {words(gone)}</span>
        <button type="button" className="undo-button" onClick={() => onPutBack(gone)}>
          Put back
        </button>
      </div>
    )
  if (!last) return null
  return (
    <div className="undo">
      <span className="cut">Last: {words(last)}</span>
      <button type="button" className="undo-button" onClick={() => onUndo(last)}>
        Undo
      </button>
    </div>
  )
}

function AskTwice({
  desk: { mine },
  match,
  sides,
  onOne,
}: {
  desk: DeskParts
  match: Projected
  sides: readonly Side[]
  onOne: (found: Twice) => void
}) {
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set())
  const found = toldTwice(match.desk.match.sport, match.facts, new Set(mine), settled)
  if (!found) return null
  const side = sides.find(({ said }) => said.teamId === found.own.teamId)
  const settle = () => setSettled(new Set([...settled, keyOf(found.own)]))
  return (
    <section className="desk-notice desk-notice-waits" role="alert">
      <p>
        <b>Told twice?</b> {factWords(match, found.own)} {side?.shortName} was told from elsewhere, too,{' '}
        {Math.round(found.apartMs / 1_000)} s apart.
      </p>
      <div className="desk-actions">
        <Button small onClick={settle}>
          There were two
        </Button>
        <Button
          small
          look="primary"
          onClick={() => {
            settle()
            onOne(found)
          }}
        >
          It was one
        </Button>
      </div>
    </section>
  )
}

/** A fact that was taken back, as it was. */
function saidOf({
  type,
  teamId,
  playerId,
  secondaryPlayerId,
  period,
  points,
  clockMs,
  value,
  details,
  timestamp,
}: DeskFact) {
  const given = { teamId, playerId, secondaryPlayerId, period, points, value, timestamp }
  return {
    type,
    ...given,
    details,
    ...(typeof value === 'boolean' && { value: null }),
    ...(clockMs !== null && { clockMs }),
  } as { type: string } & FactSaid
}

const nameOf = ({ desk: { match, teams } }: Projected) =>
  match.name ?? (teams.map(({ name }) => name).join(' v ') || 'Match desk')
