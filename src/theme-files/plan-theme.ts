import { isDeepStrictEqual } from 'node:util'
import { ThemeAnswer, type VariableAnswer, Written } from './answers.ts'
import type { LocalTheme } from './folder.ts'
import type { VariableEntry } from './manifest.ts'
import { pairUp } from './pairs.ts'
import type { RemoteTheme } from './remote.ts'
import { type Kept, type Session, type Step, sinceQuery, sinceTheme } from './session.ts'

/** The theme itself: made when the server has none, else named and typed as the folder says. */
export function planTheme({ name, sports }: LocalTheme, remote: RemoteTheme | undefined): Step[] {
  // a folder that names none leaves them to the server
  const named = sports.length > 0 ? { sports } : {}
  const remember = (session: Session, { id, updatedAt }: ThemeAnswer) => {
    session.themeId = id
    session.themeUpdatedAt = updatedAt
  }
  if (!remote)
    return [
      {
        change: { action: 'create', kind: 'theme', name },
        run: async (session) =>
          remember(session, await session.api.write('POST', '/v2/themes', { name, ...named }, ThemeAnswer)),
      },
    ]
  const changed = {
    ...(remote.theme.name !== name && { name }),
    ...(!isDeepStrictEqual(remote.theme.sports, named.sports ?? remote.theme.sports) && named),
  }
  if (Object.keys(changed).length === 0) return []
  return [
    {
      change: { action: 'update', kind: 'theme', name, changed: Object.keys(changed) },
      async run(session) {
        const { themeId } = session
        const body = { ...changed, ...sinceTheme(session) }
        remember(session, await session.api.write('PATCH', `/v2/themes/${themeId}`, body, ThemeAnswer))
      },
    },
  ]
}

/** The variables: steps that write, those that delete variables that the folder does not have, and the names of these. */
export function planVariables(local: LocalTheme, remote: RemoteTheme | undefined) {
  const nameOf = ({ name }: { name: string }) => name
  const { pairs, extra } = pairUp(local.variables, remote?.variables ?? [], nameOf, nameOf)
  const steps = pairs.flatMap((pair) =>
    pair.remote ? updateVariable(pair.local, pair.remote) : [createVariable(pair.local)],
  )
  const prune = extra.map(
    ({ id, name }): Step => ({
      change: { action: 'delete', kind: 'variable', name },
      async run(session) {
        await session.api.delete(`${at(session)}/${encodeURIComponent(id)}${sinceQuery(session.themeUpdatedAt)}`)
        // a deletion answers nothing
        session.themeUpdatedAt = undefined
      },
    }),
  )
  const kept: Kept[] = extra.map(({ name }) => ({ kind: 'variable', name }))
  return { steps, prune, kept }
}

const at = ({ themeId }: Session) => `/v2/themes/${themeId}/variables`

const createVariable = (variable: VariableEntry): Step => ({
  change: { action: 'create', kind: 'variable', name: variable.name },
  async run(session) {
    const { updatedAt } = await session.api.write('POST', at(session), { ...variable, ...sinceTheme(session) }, Written)
    session.themeUpdatedAt = updatedAt
  },
})

function updateVariable(variable: VariableEntry, stored: VariableAnswer): Step[] {
  const fields = ['type', 'defaultValue', 'description', 'enumOptions', 'isStyle'] as const
  const changed = fields.filter((field) => !isDeepStrictEqual(variable[field], stored[field]))
  if (changed.length === 0) return []
  return [
    {
      change: { action: 'update', kind: 'variable', name: variable.name, changed },
      async run(session) {
        const path = `${at(session)}/${encodeURIComponent(stored.id)}`
        const body = { ...Object.fromEntries(changed.map((field) => [field, variable[field]])), ...sinceTheme(session) }
        const { updatedAt } = await session.api.write('PATCH', path, body, Written)
        session.themeUpdatedAt = updatedAt
      },
    },
  ]
}
