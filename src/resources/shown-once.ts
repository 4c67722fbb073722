import { Raw } from '../http/route.ts'

/** An answer with a secret: it is sent now, and not kept for a repeat with the same Idempotency-Key. */
export const shownOnce = (result: object): Raw => new Raw('application/json', JSON.stringify(result))
