import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { themeValueProblem } from '../../schema/theme-variable.ts'
import { changedColumns } from '../changed-columns.ts'
import { owned } from '../ownership.ts'
import { thisWrite } from '../target.ts'
import { lockCompetition, lockProfile, lockWorn } from './profile-target.ts'
import { getProfile, type ProfilePath } from './profiles.queries.ts'
import type {
  ThemeProfile,
  ThemeProfileCopy,
  ThemeProfileCreation,
  ThemeProfileUpdate,
  ThemeProfileValues,
} from './profiles.schema.ts'

type Shape = z.output<typeof ThemeProfile>
type Value = { variableId: string; value: string | null }

/**
 * Attaches a theme to a competition, with the values of its variables there. The first profile of a competition is its
 * default unless said. Foreign competition, theme or control room 403, a control room of another theme 400.
 */
export function createProfile(
  ctx: RecordContext,
  competitionId: number,
  asked: z.output<typeof ThemeProfileCreation>,
): Promise<Shape> {
  const command = { ref: 'theme-profile/new', type: 'create', asked: { competitionId, ...noted(asked) } }
  return ctx.db.write(ctx, command, async (tx) => {
    await lockCompetition(ctx, tx, competitionId)
    await lockWorn(ctx, tx, asked.themeId, asked.ifUnchangedSince)
    await checkRoom(ctx, tx, asked.themeId, asked.defaultControlRoomId)
    const isDefault = await becomesDefault(tx, competitionId, asked.isDefault)
    const [profile] = await tx<{ id: number }[]>`
      insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id, is_default)
      values (${ctx.organizationId}, ${competitionId}, ${asked.themeId}, ${asked.name},
        ${asked.defaultControlRoomId}, ${isDefault})
      returning id`
    if (!profile) throw new Error('an insert returned no row')
    await setValues(tx, { themeId: asked.themeId, profileId: profile.id }, asked.themeVariableValues ?? [])
    return {
      ref: `theme-profile/${profile.id}`,
      result: await getProfile(ctx, { competitionId, profileId: profile.id }, tx),
      events: [{ type: 'themeProfile.created', themeProfileId: profile.id, competitionId }],
    }
  })
}

/**
 * Copies a profile into its own or another competition: theme, control room, values, sponsor slots and game plan, which keep their ids. A plan
 * with rules goes to competitions of its sport only, else 400. Foreign competitions 403.
 */
export function copyProfile(
  ctx: RecordContext,
  path: ProfilePath,
  { name, competitionId = path.competitionId, isDefault }: z.output<typeof ThemeProfileCopy>,
): Promise<Shape> {
  const command = {
    ref: 'theme-profile/new',
    type: 'copy',
    asked: { ...path, name, competitionId, isDefault, copyOf: path.profileId },
  }
  return ctx.db.write(ctx, command, async (tx) => {
    // in one order, also when another copy runs in the other direction meanwhile
    for (const id of [path.competitionId, competitionId].sort((one, other) => one - other))
      await lockCompetition(ctx, tx, id)
    const { themeId } = await lockProfile(ctx, tx, path)
    const from = await getProfile(ctx, path, tx)
    await checkSport(tx, path, competitionId)
    const becomes = await becomesDefault(tx, competitionId, isDefault)
    const [profile] = await tx<{ id: number }[]>`
      insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id, is_default)
      values (${ctx.organizationId}, ${competitionId}, ${themeId}, ${name ?? from.name}, ${from.defaultControlRoomId}, ${becomes})
      returning id`
    if (!profile) throw new Error('an insert returned no row')
    await tx`
      insert into theme_variable_value (theme_profile_id, variable_id, value)
      select ${profile.id}::int, variable_id, value from theme_variable_value where theme_profile_id = ${path.profileId}`
    await tx`
      insert into game_plan (theme_profile_id, rules, updated_at)
      select ${profile.id}::int, rules, ${thisWrite(tx)} from game_plan where theme_profile_id = ${path.profileId}`
    // presets and rules name slots by their ids
    await tx`
      insert into sponsor_slots (theme_profile_id, slots, updated_at)
      select ${profile.id}::int, slots, ${thisWrite(tx)} from sponsor_slots where theme_profile_id = ${path.profileId}`
    return {
      ref: `theme-profile/${profile.id}`,
      result: await getProfile(ctx, { competitionId, profileId: profile.id }, tx),
      events: [{ type: 'themeProfile.created', themeProfileId: profile.id, competitionId, copyOf: path.profileId }],
    }
  })
}

/** Rules name facts of a sport. */
async function checkSport(tx: TransactionSql, path: ProfilePath, competitionId: number) {
  const [other] = await tx<{ sport: string }[]>`
    select there.sport from competition here, competition there, game_plan g
    where here.id = ${path.competitionId} and there.id = ${competitionId} and there.sport <> here.sport
      and g.theme_profile_id = ${path.profileId} and g.rules::text <> '[]'`
  if (other)
    throw invalid({
      'body.competitionId': {
        message: `its sport is ${other.sport}, the game plan is of another`,
        value: competitionId,
      },
    })
}

const COLUMNS = { name: 'name', defaultControlRoomId: 'default_control_room_id', isDefault: 'is_default' } as const

/** Changes the fields that were sent; graphics on air receive new values. Throws targetChanged. */
export const updateProfile = (ctx: RecordContext, path: ProfilePath, asked: z.output<typeof ThemeProfileUpdate>) =>
  change(ctx, path, {
    type: 'update',
    asked,
    async apply(tx, { themeId }) {
      const { ifUnchangedSince: _, themeVariableValues, ...fields } = asked
      const columns = changedColumns(COLUMNS, fields)
      if (Object.keys(columns).length === 0 && themeVariableValues === undefined) return undefined
      if (fields.defaultControlRoomId !== undefined) await checkRoom(ctx, tx, themeId, fields.defaultControlRoomId)
      if (fields.isDefault) await becomesDefault(tx, path.competitionId, true)
      if (Object.keys(columns).length > 0)
        await tx`update theme_profile set ${tx(columns)} where id = ${path.profileId}`
      await setValues(tx, { themeId, profileId: path.profileId }, themeVariableValues ?? [])
      return {
        type: 'themeProfile.updated',
        themeProfileId: path.profileId,
        changes: noted({ ...fields, themeVariableValues }),
      }
    },
  })

/** Replaces all values; graphics on air receive the new ones. Throws targetChanged. */
export const replaceProfileValues = (
  ctx: RecordContext,
  path: ProfilePath,
  asked: z.output<typeof ThemeProfileValues>,
) =>
  change(ctx, path, {
    type: 'replaceValues',
    asked,
    async apply(tx, { themeId }) {
      await tx`delete from theme_variable_value where theme_profile_id = ${path.profileId}`
      const { themeVariableValues } = asked
      await setValues(tx, { themeId, profileId: path.profileId }, themeVariableValues)
      return { type: 'themeProfile.updated', themeProfileId: path.profileId, changes: noted({ themeVariableValues }) }
    },
  })

/** Archives it: it is listed no more, and overlays that have it keep it. Throws targetChanged. */
export async function archiveProfile(
  ctx: RecordContext,
  path: ProfilePath,
  ifUnchangedSince: string | undefined,
): Promise<undefined> {
  const ref = `theme-profile/${path.profileId}`
  await ctx.db.write(ctx, { ref, type: 'archive', asked: { ifUnchangedSince } }, async (tx) => {
    await lockProfile(ctx, tx, path, ifUnchangedSince)
    await tx`update theme_profile set archived_at = clock_timestamp(), is_default = false,
      updated_at = ${thisWrite(tx)} where id = ${path.profileId}`
    return { result: undefined, events: [{ type: 'themeProfile.archived', themeProfileId: path.profileId }] }
  })
  return undefined
}

type Sent = { themeVariableValues?: readonly Value[] | undefined }

/** A request as it is journaled: the names of the values it set, which may be long themselves. */
const noted = <T extends Sent>({ themeVariableValues, ...asked }: T) => ({
  ...asked,
  ...(themeVariableValues && { variableIds: themeVariableValues.map(({ variableId }) => variableId) }),
})

type Change = {
  type: string
  asked: { ifUnchangedSince?: string | undefined } & Sent
  /** Answers the event, undefined when nothing was changed. */
  apply(tx: TransactionSql, profile: { themeId: number }): Promise<{ type: string } | undefined>
}

function change(ctx: RecordContext, path: ProfilePath, { type, asked, apply }: Change): Promise<Shape> {
  const ref = `theme-profile/${path.profileId}`
  return ctx.db.write(ctx, { ref, type, asked: noted(asked) }, async (tx) => {
    const profile = await lockProfile(ctx, tx, path, asked.ifUnchangedSince)
    const event = await apply(tx, profile)
    if (event) {
      await tx`update theme_profile set updated_at = ${thisWrite(tx)} where id = ${path.profileId}`
      // part of the commit: every node hears of it, also without Redis and when this one ends right after
      await tx`select pg_notify('catalog', ${JSON.stringify({ style: path.profileId })})`
    }
    return { result: await getProfile(ctx, path, tx), events: event ? [event] : [] }
  })
}

async function checkRoom(ctx: RecordContext, tx: TransactionSql, themeId: number, roomId: number) {
  const [room] = await tx<{ organizationId: number; themeId: number }[]>`
    select organization_id as "organizationId", theme_id as "themeId" from control_room where id = ${roomId} for share`
  if (owned(ctx, room).themeId !== themeId)
    throw invalid({ 'body.defaultControlRoomId': { message: 'not a control room of the theme', value: roomId } })
}

/** Whether a profile becomes the default of its locked competition; then no other is it any more. */
async function becomesDefault(tx: TransactionSql, competitionId: number, asked: boolean | undefined) {
  const wanted =
    asked ?? (await tx`select from theme_profile where competition_id = ${competitionId} and is_default`).length === 0
  if (wanted)
    await tx`update theme_profile set is_default = false, updated_at = ${thisWrite(tx)}
      where competition_id = ${competitionId} and is_default`
  return wanted
}

/** Checks values against the variables of the locked theme and stores them; null goes back to the default. */
async function setValues(
  tx: TransactionSql,
  { themeId, profileId }: { themeId: number; profileId: number },
  values: readonly Value[],
) {
  const variables = await tx<{ id: string; type: string; enumOptions: string[] | null }[]>`
    select id, type, enum_options as "enumOptions" from theme_variable where theme_id = ${themeId}`
  const known = new Map(variables.map((variable) => [variable.id, variable]))
  const details: FieldErrors = {}
  const seen = new Set<string>()
  for (const [index, { variableId, value }] of values.entries()) {
    const path = `body.themeVariableValues[${index}]`
    const variable = known.get(variableId)
    if (!variable) details[`${path}.variableId`] = { message: 'the theme has no such variable', value: variableId }
    else if (seen.has(variableId)) details[`${path}.variableId`] = { message: 'named twice', value: variableId }
    const problem = variable && value !== null ? themeValueProblem(variable, value) : undefined
    if (problem !== undefined) details[`${path}.value`] = { message: problem, value }
    seen.add(variableId)
  }
  if (Object.keys(details).length > 0) throw invalid(details)
  const set = values.filter((each): each is { variableId: string; value: string } => each.value !== null)
  const cleared = values.filter(({ value }) => value === null).map(({ variableId }) => variableId)
  if (cleared.length > 0)
    await tx`delete from theme_variable_value where theme_profile_id = ${profileId} and variable_id = any(${cleared})`
  if (set.length > 0)
    await tx`insert into theme_variable_value (theme_profile_id, variable_id, value)
      select ${profileId}::int, * from unnest(${set.map(({ variableId }) => variableId)}::text[],
        ${set.map(({ value }) => value)}::text[])
      on conflict (theme_profile_id, variable_id) do update set value = excluded.value`
}
