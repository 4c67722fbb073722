import './connection.css'
import type { Live } from '../live/follow.ts'
import { elapsed } from './elapsed.ts'
import { useNow } from './use-now.ts'

const WORDS = { connecting: 'Connecting', connected: 'Connected', lost: 'Not connected', gone: 'Closed' } as const

/** The state of the connection in a word, for a page's header. */
export function Connection({ connection }: Pick<Live, 'connection'>) {
  return (
    <span className={`connection connection-${connection}`} role="status">
      {WORDS[connection]}
    </span>
  )
}

/** Across the whole page while its content may be out of date; nothing while it is connected. */
export function ConnectionAlarm({ connection, since }: Pick<Live, 'connection' | 'since'>) {
  if (connection === 'connected') return null
  return (
    <div className={`alarm alarm-${connection}`} role="alert">
      {connection === 'connecting' && 'Connecting to the server'}
      {connection === 'lost' && <Lost since={since} />}
      {connection === 'gone' && (
        <>
          <strong>This address is closed.</strong> It was replaced or the overlay was deleted. Ask for the new address.
        </>
      )}
    </div>
  )
}

function Lost({ since }: { since: number }) {
  useNow(0)
  return (
    <>
      <strong>Not connected</strong> for {/* read out once, not each second */}
      <span aria-hidden="true" className="tabular">
        {elapsed(Date.now() - since)}
      </span>
      . What you see may be out of date. Trying again.
    </>
  )
}
