import './drag-handle.css'
import type { Ordering } from './use-ordering.ts'

type Props = { name: string; place: string; hint: string; handle: ReturnType<Ordering['handleOf']> }

/** The handle by which an item of a list is dragged elsewhere. `hint`: the id of the text that says how. */
export const DragHandle = ({ name, place, hint, handle }: Props) => (
  <button
    type="button"
    className="drag-handle"
    aria-label={`Move ${name}, now ${place}`}
    aria-describedby={hint}
    title="Drag, or press the arrow keys"
    {...handle}
  >
    <span aria-hidden="true" />
  </button>
)
