import type { JournalPrincipal, Principal } from './context.ts'

// one object per key, so that its JSON is made once
const known = new WeakMap<Principal, JournalPrincipal>()

/** How the journal names who a request acts for. */
export function journalPrincipal(principal: Principal): JournalPrincipal {
  const named = known.get(principal)
  if (named) return named
  const made: JournalPrincipal = { type: 'key', id: principal.keyId, name: principal.keyName }
  known.set(principal, made)
  return made
}
