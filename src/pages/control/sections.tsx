import { Button } from '../ui/button.tsx'
import { sectionColour } from '../ui/section-colour.ts'
import { Card } from './card.tsx'
import { targetOf, useDesk } from './desk.ts'
import type { Preset, Section } from './model.ts'

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether every word is somewhere in the names, with or without accents. */
function matches({ name, graphicName, variableValues }: Preset, section: Section, search: string): boolean {
  const text = plain([name, graphicName, section.name, ...Object.values(variableValues)].join(' '))
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export function Sections({ search, keys, onClear }: { search: string; keys: boolean; onClear: () => void }) {
  const { room } = useDesk()
  if (!room.room) return <Empty>This overlay has no control room. Give it one on the dashboard.</Empty>
  if (room.presets.length === 0) return <Empty>“{room.room.name}” has no presets yet.</Empty>
  const shown = room.sections.flatMap((section) => {
    const presets = room.presets.filter(({ sectionId }) => sectionId === section.id)
    const found = search.trim() === '' ? presets : presets.filter((preset) => matches(preset, section, search))
    return found.length > 0 || search.trim() === '' ? [{ section, presets: found }] : []
  })
  if (shown.length === 0)
    return (
      <Empty>
        No preset is called “{search.trim()}”. <Button onClick={onClear}>Show all</Button>
      </Empty>
    )
  return shown.map(({ section, presets }) => (
    <SectionOf key={section.id} section={section} presets={presets} keys={keys} />
  ))
}

function Empty({ children }: { children: React.ReactNode }) {
  return <p className="empty">{children}</p>
}

function SectionOf({ section, presets, keys }: { section: Section; presets: readonly Preset[]; keys: boolean }) {
  const { live, outcomes, hideAll } = useDesk()
  const onAir = [...live.onAir.values()].filter(({ sectionId }) => sectionId === section.id).length
  const outcome = outcomes.get(targetOf.section(section.id))
  const id = `section-${section.id}`
  return (
    <section
      className="section"
      aria-labelledby={id}
      style={{ '--section': sectionColour(section.colorKey) } as React.CSSProperties}
    >
      <div className="section-head">
        <h2 id={id}>{section.name}</h2>
        {onAir > 0 && (
          <Button className="section-hide" aria-busy={outcome?.phase === 'sending'} onClick={() => hideAll(section.id)}>
            Hide section<span className="visually-hidden"> {section.name}</span>
          </Button>
        )}
        {outcome?.phase === 'failed' && (
          <p className="failure" role="alert">
            {outcome.message}
          </p>
        )}
      </div>
      {presets.length === 0 ? (
        <p className="section-none">No presets</p>
      ) : (
        <ul className="cards">
          {presets.map((preset) => (
            <Card key={preset.id} preset={preset} keys={keys} />
          ))}
        </ul>
      )}
    </section>
  )
}
