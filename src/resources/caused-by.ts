import type { JournalPrincipal } from '../principal.ts'

/** The principal that caused an entry of the journal, as answers show it. */
export const causedBy = (principal: JournalPrincipal) => ({
  type: principal.type,
  id: 'id' in principal ? principal.id : null,
  name: 'name' in principal ? principal.name : null,
})
