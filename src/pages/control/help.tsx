import { Dialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import type { Mode } from './desk.ts'
import { RehearsalSwitch } from './rehearsal-bar.tsx'
import { PANIC_KEY, PLAN_KEY, PLAN_PANEL_KEY, RULES_KEY, SCHEDULE_KEY } from './use-keys.ts'

const OF_MODE = {
  direct: [
    ['1 … 0, A … Z', 'Show the preset with this key; send its changes when it is on air'],
    ['Shift + key', 'Hide that preset'],
  ],
  preview: [
    ['1 … 0, A … Z', 'Put the preset with this key on preview'],
    ['Enter', 'Take: what is on preview goes on air'],
    ['Shift + key', 'Cut: that preset goes straight on air'],
    ['Space', 'Put the preset that has the focus on preview'],
    ['Delete', 'Hide the selected preset; off air, take it off preview'],
    ['Esc', 'Clear preview'],
  ],
} as const

const KEYS = [
  ['Backspace', 'Undo the last command, for 30 s'],
  [PANIC_KEY, 'Hide all, at once, from anywhere on the page'],
  ['Page Down', 'The rundown: take what is cued, and cue the next; also from a presenter’s remote'],
  ['Page Up', 'The rundown: cue the item before'],
  [PLAN_KEY, 'Pause the game plan of an automatic overlay, or resume it; from anywhere, too'],
  [PLAN_PANEL_KEY, 'Go to the layers of the game plan'],
  [SCHEDULE_KEY, 'Go to what is scheduled'],
  [RULES_KEY, 'Go to its rules, to fire one by hand'],
  ['V', 'Go to the values of the selected preset'],
  ['Ctrl + Enter', 'In the values: what a press on the preset does'],
  ['Esc', 'Back from the values or the search'],
  ['Arrow keys', 'From preset to preset'],
  ['/', 'Search'],
  ['?', 'This list'],
] as const

export function Help({
  open,
  onClose,
  mode,
  keys,
  onKeys,
}: {
  open: boolean
  mode: Mode
  onClose: () => void
  keys: boolean
  onKeys: (on: boolean) => void
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard and rehearsal">
      <dl className="help-keys">
        {[...OF_MODE[mode], ...KEYS].map(([key, meaning]) => (
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
        hint={`Backspace, ${PANIC_KEY}, ${PLAN_KEY}, ${PLAN_PANEL_KEY}, ${SCHEDULE_KEY}, ${RULES_KEY}, Tab, Enter and the arrow keys work also without them`}
        checked={keys}
        onChange={onKeys}
      />
      <RehearsalSwitch />
    </Dialog>
  )
}
