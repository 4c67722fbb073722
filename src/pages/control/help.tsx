import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import { RehearsalSwitch } from './rehearsal-bar.tsx'
import { PANIC_KEY, PLAN_KEY, PLAN_PANEL_KEY, RULES_KEY } from './use-keys.ts'

const KEYS = [
  ['1 … 0, A … Z', 'Show the preset with this key; send its changes when it is on air'],
  ['Shift + key', 'Hide that preset'],
  [PANIC_KEY, 'Hide all, at once, from anywhere on the page'],
  [PLAN_KEY, 'Pause the game plan of an automatic overlay, or resume it; from anywhere, too'],
  [PLAN_PANEL_KEY, 'Go to the layers of the game plan'],
  [RULES_KEY, 'Go to its rules, to fire one by hand'],
  ['V', 'Go to the values of the selected preset'],
  ['Ctrl + Enter', 'In the values: show, or send the changes'],
  ['Esc', 'Back from the values or the search'],
  ['Arrow keys', 'From preset to preset'],
  ['/', 'Search'],
  ['?', 'This list'],
] as const

export function Help({
  open,
  onClose,
  keys,
  onKeys,
}: {
  open: boolean
  onClose: () => void
  keys: boolean
  onKeys: (on: boolean) => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard and rehearsal">
      <dl className="help-keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd className="key">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Keys of single letters and digits"
        hint={`${PANIC_KEY}, ${PLAN_KEY}, ${PLAN_PANEL_KEY}, ${RULES_KEY}, Tab, Enter and the arrow keys work also without them`}
        checked={keys}
        onChange={onKeys}
      />
      <RehearsalSwitch />
    </Dialog>
  )
}
