import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'
import type { Competition, CompetitionTeams } from '../shapes.ts'
import { alike, type Sheet } from './sheet.ts'

/** Who plays in the competitions that a list names, and in `also`: the ids of their teams by that of the competition. */
export function useMembers(competitions: readonly Competition[], sheet: Sheet | undefined, also: number | undefined) {
  const [value, setValue] = useState<ReadonlyMap<number, readonly number[]>>(new Map())
  const words = new Set(sheet?.rows.flatMap(({ cells }) => cells.map(alike)))
  const ids = competitions
    .filter(
      ({ id, name, gfxName }) =>
        id === also || words.has(alike(name)) || words.has(String(id)) || (gfxName && words.has(alike(gfxName))),
    )
    .map(({ id }) => id)
    .join(',')
  const reload = useCallback(async () => {
    const read = await Promise.all(
      ids
        .split(',')
        .filter(Boolean)
        .map(async (id) => {
          const { teams } = await api<CompetitionTeams>('GET', `/v1/competitions/${id}/teams`)
          return [Number(id), teams.map((team) => team.id)] as const
        }),
    )
    setValue(new Map(read))
  }, [ids])
  useEffect(() => {
    // unread, teams are put in once more, which changes nothing
    reload().catch(() => {})
  }, [reload])
  return { value, reload }
}
