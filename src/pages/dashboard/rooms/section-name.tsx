import './rooms.css'
import { sectionColour } from '../../ui/section-colour.ts'
import type { Section } from '../shapes.ts'

/** The name of a section beside the colour that operators know it by. */
export function SectionName({ name, colorKey }: Section) {
  return (
    <span className="section-name">
      <span className="section-colour" style={{ background: sectionColour(colorKey) }} aria-hidden="true" />
      {name}
    </span>
  )
}
