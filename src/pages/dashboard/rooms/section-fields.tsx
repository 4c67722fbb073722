import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { SECTION_COLOURS, sectionColour } from '../../ui/section-colour.ts'

export type SectionDraft = {
  /** Its number in the form. */
  key: number
  name: string
  /** Empty: none. */
  colorKey: string
}

type Props = {
  sections: readonly SectionDraft[]
  problem: (section: SectionDraft) => string | undefined
  onChange: (sections: readonly SectionDraft[]) => void
}

/** The sections of a room that is not there yet, in their order. */
export function SectionFields({ sections, problem, onChange }: Props) {
  const set = (section: SectionDraft, change: Partial<SectionDraft>) =>
    onChange(sections.map((one) => (one === section ? { ...one, ...change } : one)))
  const addition = useRef<HTMLButtonElement>(null)
  const remove = (section: SectionDraft) => {
    onChange(sections.filter((one) => one !== section))
    // the button that was pressed is gone
    addition.current?.focus()
  }
  const add = () => {
    const key = Math.max(0, ...sections.map((one) => one.key)) + 1
    onChange([...sections, { key, name: '', colorKey: SECTION_COLOURS[(key - 1) % SECTION_COLOURS.length] ?? '' }])
  }
  return (
    <fieldset className="section-fields">
      <legend className="field-label">Sections</legend>
      {sections.map((section, index) => (
        <div className="section-field" key={section.key}>
          <span
            className="section-colour"
            style={{ background: sectionColour(section.colorKey || undefined) }}
            aria-hidden="true"
          />
          <input
            className="input"
            aria-label={`Name of section ${index + 1}`}
            autoComplete="off"
            maxLength={255}
            value={section.name}
            onChange={(event) => set(section, { name: event.target.value })}
          />
          <select
            className="input"
            aria-label={`Colour of section ${index + 1}`}
            value={section.colorKey}
            onChange={(event) => set(section, { colorKey: event.target.value })}
          >
            <option value="">no colour</option>
            {SECTION_COLOURS.map((key) => (
              <option key={key}>{key}</option>
            ))}
          </select>
          <Button small aria-label={`Remove section ${index + 1}`} onClick={() => remove(section)}>
            Remove
          </Button>
          {problem(section) && (
            <p className="field-error" role="alert">
              {problem(section)}
            </p>
          )}
        </div>
      ))}
      <Button small ref={addition} className="section-addition" onClick={add}>
        Add a section
      </Button>
    </fieldset>
  )
}
