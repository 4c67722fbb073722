import { Button } from '../../ui/button.tsx'

type Props = { name: string; onUp?: (() => void) | undefined; onDown?: (() => void) | undefined }

/** Puts something before or after its neighbour; by keyboard as well as by hand. */
export function Order({ name, onUp, onDown }: Props) {
  return (
    <>
      <Button small aria-label={`Move ${name} up`} disabled={!onUp} onClick={onUp}>
        ↑
      </Button>
      <Button small aria-label={`Move ${name} down`} disabled={!onDown} onClick={onDown}>
        ↓
      </Button>
    </>
  )
}
