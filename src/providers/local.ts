import type { ISql } from 'postgres'
import type { ProviderName } from '../schema/provider.ts'

/** The copy of an organization of one provider's records. */
export type Copy = { organizationId: number; provider: ProviderName }

export const tables = ['competition', 'venue', 'player', 'team', 'official', 'match'] as const
export type Table = (typeof tables)[number]

/** The ids of an organization's copies, by the provider's ids. */
export type Local = Record<Table, Map<string, number>>

/** Everything that the organization holds of this provider. */
export async function localIds(sql: ISql, { organizationId, provider }: Copy): Promise<Local> {
  const read = async (table: Table) => {
    const rows = await sql<{ id: number; providerId: string }[]>`
      select id, provider_id as "providerId" from ${sql(table)}
      where organization_id = ${organizationId} and provider_name = ${provider}`
    return new Map(rows.map(({ id, providerId }) => [providerId, id]))
  }
  const [competition, venue, player, team, official, match] = await Promise.all([
    read('competition'),
    read('venue'),
    read('player'),
    read('team'),
    read('official'),
    read('match'),
  ])
  return { competition, venue, player, team, official, match }
}

/** The id behind a reference of a checked feed. */
export function localId(ids: ReadonlyMap<string, number>, providerId: string): number {
  const id = ids.get(providerId)
  if (id === undefined) throw new Error(`a checked feed refers to ${providerId}, which is not there`)
  return id
}
