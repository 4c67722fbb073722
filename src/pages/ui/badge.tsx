import type { ReactNode } from 'react'

/** A state in a word, with a lamp; never told by its colour alone. */
export function Badge({
  tone,
  children,
}: {
  tone?: 'air' | 'good' | 'pending' | 'bad' | undefined
  children: ReactNode
}) {
  return <span className={tone ? `badge badge-${tone}` : 'badge'}>{children}</span>
}
