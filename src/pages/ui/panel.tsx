import './content.css'
import { type ReactNode, useId } from 'react'

/** A part of a view under its own heading, with its actions. */
export function Panel({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <div>
          <h2 className="panel-title" id={id}>
            {title}
          </h2>
          {about !== undefined && <p className="panel-about">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** Names and their values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
