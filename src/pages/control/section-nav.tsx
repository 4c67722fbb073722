import { type RefObject, useEffect, useState } from 'react'
import { sectionColour } from '../ui/section-colour.ts'
import { useDesk } from './desk.ts'

/** Whether there is more than fits. */
function useOverflow(box: RefObject<HTMLElement | null>, content: unknown): boolean {
  const [overflows, setOverflows] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content may need another height
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 60)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [box, content])
  return overflows
}

/** The list alone: the page around it must not move. */
function scrollTo(box: HTMLElement | null, heading: HTMLElement | null) {
  const section = heading?.closest<HTMLElement>('.section')
  if (box && section) box.scrollTop = section.offsetTop
}

/** One press to each section, where the presets do not fit on the screen. */
export function SectionNav({ box }: { box: RefObject<HTMLElement | null> }) {
  const { room, live } = useDesk()
  const overflows = useOverflow(box, room)
  if (!overflows || room.sections.length < 2) return null
  const onAir = new Set([...live.onAir.values()].map(({ sectionId }) => sectionId))
  return (
    <nav className="section-nav" aria-label="Sections">
      {room.sections.map(({ id, name, colorKey }) => (
        <button
          key={id}
          type="button"
          className="section-link"
          style={{ '--section': sectionColour(colorKey) } as React.CSSProperties}
          onClick={() => scrollTo(box.current, document.getElementById(`section-${id}`))}
        >
          {name}
          {onAir.has(id) && <span className="section-link-state">{live.rehearsal ? 'in rehearsal' : 'on air'}</span>}
        </button>
      ))}
    </nav>
  )
}
