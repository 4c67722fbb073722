import { worded } from '../../schema/worded.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { DeskState } from './link.ts'
import type { Projected } from './model.ts'
import type { Press } from './press.ts'

/** A press in words: `Goal`, `Correction`, `State: suspended`. */
export function pressWords({ command }: Press): string {
  switch (command.type) {
    case 'record':
      return worded(command.fact.type)
    case 'correct':
      return 'Correction of a fact'
    case 'erase':
      return 'Deletion of a fact'
    case 'lineup':
      return 'Line-up'
    case 'update':
      return command.state === undefined ? 'Score by hand' : `State: ${worded(command.state).toLowerCase()}`
  }
}

const clockOf = (ms: number) =>
  new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The state of the line and of what was pressed, in one word at the top. */
export function LineChip({ state, onOpen }: { state: DeskState; onOpen: () => void }) {
  const waiting = state.presses.filter(({ refusal }) => !refusal).length
  const refused = state.presses.length - waiting
  const words =
    refused > 0
      ? `${refused} refused`
      : waiting > 0
        ? `${waiting} waiting`
        : state.line === 'connected'
          ? 'All sent'
          : state.line === 'gone'
            ? 'Closed'
            : state.line === 'lost'
              ? 'No line'
              : 'Connecting'
  const look =
    refused > 0 || state.line === 'gone' ? 'bad' : waiting > 0 || state.line !== 'connected' ? 'waits' : 'good'
  return (
    <>
      <button type="button" className={`line line-${look}`} onClick={onOpen}>
        {words}
      </button>
      <span className="visually-hidden" role="status">
        {words}
      </span>
    </>
  )
}

/** What somebody at the pitch has to know at once, across the page. */
export function Notices({ state, fault, onOpen }: { state: DeskState; fault: string | undefined; onOpen: () => void }) {
  const { presses, line, durable, clockOffMs = 0 } = state
  const waiting = presses.filter(({ refusal }) => !refusal).length
  const refused = presses.length - waiting
  const minutes = Math.round(Math.abs(clockOffMs) / 60_000)
  return (
    <div className="notices">
      {fault !== undefined && (
        <p className="desk-notice desk-notice-bad" role="alert">
          {fault}
        </p>
      )}
      {line === 'gone' && (
        <p className="desk-notice desk-notice-bad" role="alert">
          <b>This desk is closed.</b> The match was deleted or its address replaced. Ask for the new address.
          {waiting > 0 && ` ${waiting} not sent: they stay on this telephone.`}
        </p>
      )}
      {line === 'lost' && (
        <p className="desk-notice desk-notice-waits" role="status">
          <b>No line.</b> Go on: every press is kept with its time{waiting > 0 && `, ${waiting} so far`}.
        </p>
      )}
      {refused > 0 && (
        <p className="desk-notice desk-notice-bad" role="alert">
          <b>{refused === 1 ? 'A press was refused.' : `${refused} presses were refused.`}</b>{' '}
          <button type="button" className="text-button" onClick={onOpen}>
            Look
          </button>
        </p>
      )}
      {!durable && (
        <p className="desk-notice desk-notice-bad" role="status">
          This browser keeps nothing: leave the page open until all is sent.
        </p>
      )}
      {minutes >= 1 && (
        <p className="desk-notice" role="status">
          The clock of this telephone is {minutes} min {clockOffMs > 0 ? 'behind' : 'ahead'}. Times are those of the
          server.
        </p>
      )}
    </div>
  )
}

/** What the server said of a press that it refused. */
export const refusalWords = ({ refusal }: Press): string =>
  [refusal?.message, ...(refusal?.details ?? [])].filter(Boolean).join(': ')

/** What waits, and what was refused with the words of the server: put right, sent again or thrown away, never dropped by itself. */
export function WaitingDialog({
  state,
  match,
  onDiscard,
  onRetry,
  onChange,
  onClose,
}: {
  state: DeskState
  match: Projected | undefined
  onDiscard: (id: string) => void
  onRetry: (id: string) => void
  /** Undefined for a press of which nothing can be changed. */
  onChange: (press: Press) => (() => void) | undefined
  onClose: () => void
}) {
  return (
    <Dialog open onClose={onClose} title="Not sent yet">
      {state.presses.length === 0 && <p className="pad-hint">All that was pressed here has been taken.</p>}
      <ol className="waiting">
        {state.presses.map((press) => (
          <li key={press.id} className={press.refusal ? 'waiting-row waiting-refused' : 'waiting-row'}>
            <p>
              <b>{pressWords(press)}</b> <span className="tabular">{clockOf(press.at)}</span>
            </p>
            {press.refusal ? (
              <Refused
                press={press}
                onDiscard={() => onDiscard(press.id)}
                onRetry={() => onRetry(press.id)}
                onChange={onChange(press)}
              />
            ) : (
              <p className="fact-who">{match?.doubts.get(press.id) ?? 'Waits for the line'}</p>
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function Refused({
  press,
  onDiscard,
  onRetry,
  onChange,
}: {
  press: Press
  onDiscard: () => void
  onRetry: () => void
  onChange: (() => void) | undefined
}) {
  return (
    <>
      <p className="waiting-words" role="alert">
        {refusalWords(press)}
      </p>
      <div className="desk-actions">
        <Button small onClick={onDiscard}>
          Throw away
        </Button>
        <Button small onClick={onRetry}>
          Send again
        </Button>
        {onChange && (
          <Button small look="primary" onClick={onChange}>
            Put right…
          </Button>
        )}
      </div>
    </>
  )
}
