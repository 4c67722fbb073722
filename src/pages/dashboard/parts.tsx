import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { Refusal } from '../ui/request.ts'
import { wordsOf } from './api.ts'
import { Uses } from './records/uses.tsx'
import { Link } from './router.tsx'

let first = true

/** The heading of a view with its actions. Names the page, and is read out after a change of view. */
export function PageHead({
  title,
  about,
  back,
  children,
}: {
  title: string
  about?: ReactNode
  back?: { to: string; title: string }
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Tally`
  }, [title])
  useEffect(() => {
    if (!first) heading.current?.focus({ preventScroll: true })
    first = false
    window.scrollTo(0, 0)
  }, [])
  return (
    <header className="page-head">
      <div className="page-head-text">
        {back && (
          <Link className="page-back" to={back.to}>
            <span aria-hidden="true">← </span>
            {back.title}
          </Link>
        )}
        <h1 className="page-title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <div className="page-about">{about}</div>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  )
}

/** A view until its first answer is there, and when there is none to be had. */
export function Waiting({ error, reload }: { error: unknown; reload?: () => unknown }) {
  if (error === undefined)
    return (
      <p className="waiting" role="status">
        Reading…
      </p>
    )
  const status = error instanceof Refusal ? error.status : undefined
  const [missing, closed] = [status === 404, status === 403]
  return (
    <div className="notice notice-bad" role="alert">
      <p>
        {missing && 'This is not here: it was deleted, or the address is wrong.'}
        {closed && 'Your role does not open this page. An owner or admin can change that under People.'}
        {!missing && !closed && wordsOf(error)}
      </p>
      {!missing && !closed && reload && (
        <Button small onClick={() => void reload()}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Why something that was asked for was not done; a reason that names a field of the body is said at that. */
export function Failure({ error }: { error: unknown }) {
  if (error === undefined) return null
  const details = error instanceof Refusal ? Object.entries(error.details) : []
  const others = details.filter(([path]) => !path.startsWith('body.'))
  const uses = error instanceof Refusal ? error.uses : []
  return (
    <div className="notice notice-bad" role="alert">
      {/* the message of the server repeats the list */}
      <p>{uses.length > 0 ? `${wordsOf(error).split(' is in use:')[0]} is in use:` : wordsOf(error)}</p>
      {uses.length > 0 && <Uses uses={uses} />}
      {others.map(([path, { message }]) => (
        <p key={path}>{sentence(message)}</p>
      ))}
    </div>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The text in place of an empty list. */
export const Empty = ({ children }: { children: ReactNode }) => <div className="empty">{children}</div>
