import { Button } from '../../ui/button.tsx'

type Props = { name: string; disabled: boolean; onUp?: (() => void) | undefined; onDown?: (() => void) | undefined }

/** Puts something before or after its neighbour; by keyboard as well as by hand. */
export function Order({ name, disabled, onUp, onDown }: Props) {
  return (
    <>
      <Button small aria-label={`Move ${name} up`} disabled={disabled || !onUp} onClick={onUp}>
        ↑
      </Button>
      <Button small aria-label={`Move ${name} down`} disabled={disabled || !onDown} onClick={onDown}>
        ↓
      </Button>
    </>
  )
}
