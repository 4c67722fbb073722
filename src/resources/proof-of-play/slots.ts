import type { ISql } from 'postgres'
import type { SponsorSlot } from '../../catalog/cards.ts'
import type { RecordedOverlay } from '../overlays/recorded.queries.ts'
import type { ProofOfPlay } from './schema.ts'
import { seconds } from './sums.ts'

const matchIdsOf = (overlays: readonly RecordedOverlay[]) => [...new Set(overlays.map(({ matchId }) => matchId))]

/** The names of the brands of whose overlays these are, also of deleted ones. */
export async function brandNames(
  sql: ISql,
  overlays: readonly RecordedOverlay[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from brand
    where organization_id in (select organization_id from match where id = any(${matchIdsOf(overlays)}))`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The slots of the profiles that the competitions of these overlays have, each id once: as the oldest profile has it. */
export async function slotsOf(sql: ISql, overlays: readonly RecordedOverlay[]): Promise<SponsorSlot[]> {
  const rows = await sql<{ slots: SponsorSlot[] }[]>`
    select s.slots from sponsor_slots s join theme_profile p on p.id = s.theme_profile_id
    where p.archived_at is null
      and p.competition_id in (select competition_id from match where id = any(${matchIdsOf(overlays)}))
    order by p.id desc`
  return [...new Map(rows.flatMap(({ slots }) => slots.map((slot) => [slot.id, slot] as const))).values()]
}

/** Promised against painted: of the slots that there are and those that were shown. `painted` in ms, by slot, then by brand. */
export function slotProofs(
  slots: readonly SponsorSlot[],
  painted: ReadonlyMap<string, ReadonlyMap<number, number>>,
  names: ReadonlyMap<number, string>,
): ProofOfPlay['slots'] {
  const gone = [...painted.keys()].filter((id) => !slots.some((slot) => slot.id === id))
  return [...slots, ...gone.map((id) => ({ id, name: null, brands: [] }))].map(({ id, name, brands }) => {
    const of = painted.get(id) ?? new Map<number, number>()
    const promised = new Map(brands.map(({ brandId, share }) => [brandId, share]))
    const allPromised = [...promised.values()].reduce((sum, share) => sum + share, 0)
    const allPainted = [...of.values()].reduce((sum, ms) => sum + ms, 0)
    return {
      slotId: id,
      name,
      brands: [...new Set([...promised.keys(), ...of.keys()])].map((brandId) => ({
        brandId,
        name: names.get(brandId) ?? `Brand ${brandId}`,
        promisedShare: part(promised.get(brandId) ?? 0, allPromised),
        paintedShare: part(of.get(brandId) ?? 0, allPainted),
        paintedSeconds: seconds(of.get(brandId) ?? 0),
      })),
    }
  })
}

/** To four digits. */
const part = (one: number, all: number) => (all === 0 ? 0 : Math.round((one / all) * 10_000) / 10_000)
