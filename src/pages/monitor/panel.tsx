import type { ReactNode } from 'react'

/** One part of the page under its heading; `beside` stands next to it and is no part of its name. */
export function Panel({
  id,
  title,
  beside,
  className = '',
  children,
}: {
  id: string
  title: string
  beside?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <div className="panel-title">
        <h2 id={id}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  )
}

/** How many there are, beside a heading. */
export const Count = ({ children }: { children: number }) => <span className="tabular">{children}</span>
