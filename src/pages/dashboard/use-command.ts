import { useRef, useState } from 'react'
import { newKey, Refusal } from '../ui/request.ts'

export type Command<Input> = {
  readonly busy: boolean
  readonly error: unknown
  /** The reasons of a 400 by the name of the field in the body: `name`. */
  readonly fields: Readonly<Record<string, string>>
  /** Resolves whether it was done. A second call while the first runs does nothing. */
  run(input: Input): Promise<boolean>
  forget(): void
}

/**
 * A write that a person asks for. `key` is its Idempotency-Key and stays the same while the outcome is unknown, so that
 * pressing again after a lost answer does it once.
 */
export function useCommand<Input>(write: (input: Input, key: string) => Promise<void>): Command<Input> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = useRef(false)
  const pending = useRef<{ said: string; key: string }>(undefined)

  async function run(input: Input): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setBusy(true)
    const said = JSON.stringify(input) ?? ''
    const key = pending.current?.said === said ? pending.current.key : newKey()
    pending.current = { said, key }
    try {
      await write(input, key)
      pending.current = undefined
      setError(undefined)
      return true
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.status !== 0) pending.current = undefined
      setError(failure)
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return { busy, error, fields: fieldsOf(error), run, forget: () => setError(undefined) }
}

/** `{name: '…'}` of `body.name`. */
export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Refusal)) return {}
  return Object.fromEntries(
    Object.entries(error.details ?? {}).map(([path, { message }]) => [path.replace(/^body\./, ''), message]),
  )
}
