import './rehearsal.css'
import type { ReactNode } from 'react'

/** Says in large letters that nothing is on air, whatever the page shows. `children`: what can be done about it. */
export const Rehearsal = ({ children }: { children?: ReactNode }) => (
  <section className="rehearsal" aria-label="Rehearsal">
    <p className="rehearsal-word" role="status">
      Rehearsal
    </p>
    <p className="rehearsal-about">Nothing of this goes on air</p>
    {children}
  </section>
)
