import { ShownOnce } from '../shown-once.tsx'

/** A password that the server made up; the person can choose another one after signing in. */
export function PasswordShown({
  email,
  password,
  onClose,
}: {
  email: string
  password: string | null
  onClose: () => void
}) {
  return (
    <ShownOnce
      title={`The password of ${email}`}
      label="Password"
      secret={password}
      why="Give it to them by a way that nobody else reads. They can choose another one under Account."
      lost="Make a new password for them."
      onClose={onClose}
    />
  )
}
