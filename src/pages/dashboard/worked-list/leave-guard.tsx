import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { guardLeaving, navigate } from '../router.tsx'

type Props = { isDirty: boolean; about: string; save: () => Promise<boolean> }

/** Asks before a view with unsaved work is left; `save` resolves whether it is saved. */
export function LeaveGuard({ isDirty, about, save }: Props) {
  const [to, setTo] = useState<string>()
  const release = useRef<() => void>(undefined)
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    const end = guardLeaving((next) => {
      setTo(next)
      return true
    })
    release.current = end
    return () => {
      window.removeEventListener('beforeunload', warn)
      end()
    }
  }, [isDirty])
  const leave = () => {
    release.current?.()
    if (to !== undefined) navigate(to)
  }
  const saveAndLeave = async () => {
    if (await save()) leave()
    else setTo(undefined)
  }
  return (
    <Dialog open={to !== undefined} onClose={() => setTo(undefined)} title="Leave without saving?" about={about}>
      <div className="dialog-actions">
        <Button onClick={() => setTo(undefined)}>Stay here</Button>
        <Button look="danger" onClick={leave}>
          Leave, drop the changes
        </Button>
        <Button look="primary" onClick={() => void saveAndLeave()}>
          Save and leave
        </Button>
      </div>
    </Dialog>
  )
}
