import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { lockProfile } from '../themes/profile-target.ts'
import type { ProfilePath } from '../themes/profiles.queries.ts'
import { getSponsorSlots } from './queries.ts'
import type { SlotAsked, SponsorSlots, SponsorSlotsReplacement } from './schema.ts'

/** Replaces all slots of a profile, or nothing: `invalid` names every bad field. Throws targetChanged. game-plan: Brands and sponsor slots */
export function replaceSponsorSlots(
  ctx: RecordContext,
  path: ProfilePath,
  { slots, ifUnchangedSince }: z.output<typeof SponsorSlotsReplacement>,
): Promise<z.output<typeof SponsorSlots>> {
  const { profileId } = path
  const changed = { slots: profileId }
  const command = {
    ref: `theme-profile/${profileId}`,
    type: 'replaceSponsorSlots',
    asked: { slots: slots.length, ifUnchangedSince },
  }
  const replaced = ctx.db.write(ctx, command, async (tx) => {
    await lockProfile(ctx, tx, path)
    await tx`
      insert into sponsor_slots (theme_profile_id, slots, updated_at)
      select id, '[]', created_at from theme_profile where id = ${profileId} on conflict do nothing`
    const [stored] = await tx<{ unchanged: boolean }[]>`
      select ${asRead(tx, ifUnchangedSince)} as unchanged from sponsor_slots
      where theme_profile_id = ${profileId} for update`
    checkTarget(stored)
    const details = wrongSlots(slots, await lockedBrands(ctx, tx, slots))
    if (Object.keys(details).length > 0) throw invalid(details)
    const kept = slots.map(({ id = randomUUID(), ...slot }) => ({ id, ...slot }))
    await tx`
      update sponsor_slots set slots = ${JSON.stringify(kept)}::text::json, updated_at = ${thisWrite(tx)}
      where theme_profile_id = ${profileId}`
    await tx`select pg_notify('catalog', ${JSON.stringify(changed)})`
    return {
      result: await getSponsorSlots(ctx, path, tx),
      events: [{ type: 'sponsorSlots.replaced', themeProfileId: profileId, slots: kept }],
    }
  })
  return replaced.finally(() => ctx.catalog.forget(changed))
}

/** The brands of the organization among those that slots name; they stay until these slots are stored. */
async function lockedBrands({ organizationId }: RecordContext, tx: TransactionSql, slots: readonly SlotAsked[]) {
  const ids = [...new Set(slots.flatMap(({ brands }) => brands.map(({ brandId }) => brandId)))]
  const rows = await tx<{ id: number }[]>`
    select id from brand where id = any(${ids}) and organization_id = ${organizationId} and deleted_at is null
    order by id for share`
  return new Set(rows.map(({ id }) => id))
}

/** The faults of slots by their path in the body. */
function wrongSlots(slots: readonly SlotAsked[], own: ReadonlySet<number>): FieldErrors {
  const details: FieldErrors = {}
  const ids = new Set<string>()
  for (const [index, { id, brands }] of slots.entries()) {
    if (id !== undefined && ids.has(id)) details[`body.slots[${index}].id`] = { message: 'named twice', value: id }
    if (id !== undefined) ids.add(id)
    const named = new Set<number>()
    for (const [place, { brandId }] of brands.entries()) {
      const message = !own.has(brandId) ? 'no such brand' : named.has(brandId) ? 'named twice' : undefined
      if (message !== undefined) details[`body.slots[${index}].brands[${place}].brandId`] = { message, value: brandId }
      named.add(brandId)
    }
  }
  return details
}
