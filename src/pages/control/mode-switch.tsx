import { useDesk } from './desk.ts'

const MODES = [
  ['direct', 'Direct', 'A press on a preset puts it on air'],
  ['preview', 'Preview', 'A press on a preset puts it on preview, and a take on air'],
] as const

/** What a press on a preset does, for this browser. */
export function ModeSwitch() {
  const { mode, setMode } = useDesk()
  return (
    <fieldset className="mode" aria-label="A press on a preset">
      {MODES.map(([value, name, about]) => (
        <button
          key={value}
          type="button"
          className="mode-choice"
          aria-pressed={mode === value}
          title={about}
          onClick={() => setMode(value)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
