import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import type { SportKey } from '../../schema/sport.ts'
import { getTheme } from './queries.ts'
import type { Theme, ThemeVariable } from './schema.ts'

/** Creates a theme with its variables, unpublished. */
export function createTheme(
  ctx: RecordContext,
  asked: {
    name: string
    sports: readonly SportKey[]
    variables: readonly Omit<z.output<typeof ThemeVariable>, 'id'>[]
  },
): Promise<z.output<typeof Theme>> {
  return ctx.db.write(ctx, { ref: 'theme/new', type: 'create', asked }, async (tx) => {
    const [theme] = await tx<{ id: number }[]>`
      insert into theme (organization_id, name, sports) values (${ctx.organizationId}, ${asked.name}, ${[...asked.sports]})
      returning id`
    if (!theme) throw new Error('an insert returned no row')
    for (const variable of asked.variables)
      await tx`
        insert into theme_variable (theme_id, id, name, type, default_value, description, enum_options, is_style)
        values (${theme.id}, ${variable.name}, ${variable.name}, ${variable.type}, ${variable.defaultValue},
          ${variable.description}, ${variable.enumOptions}, ${variable.isStyle})`
    return {
      ref: `theme/${theme.id}`,
      result: await getTheme(ctx, theme.id, tx),
      events: [{ type: 'theme.created', themeId: theme.id, name: asked.name }],
    }
  })
}

type PinnedRow = { graphicId: string; name: string; type: string; version: number | null }

/**
 * Pins the latest published version of every graphic in the next theme version, and sets it active when asked; a graphic
 * without one is skipped. What is on air stays as it is. spec: Graphic versions and lock
 */
export async function publishThemeVersion(
  ctx: RecordContext,
  themeId: number,
  asked: { activate: boolean; notes?: string },
) {
  const published = await ctx.db.write(ctx, { ref: `theme/${themeId}`, type: 'publish', asked }, async (tx) => {
    const version = await nextVersion(ctx, tx, themeId)
    const graphics = await tx<PinnedRow[]>`
      select g.id as "graphicId", g.name, g.kind as type,
        (select max(v.version) from graphic_version v where v.graphic_id = g.id) as version
      from graphic g where g.theme_id = ${themeId} order by g.created_at, g.id`
    const pinned = graphics.filter(({ version: latest }) => latest !== null)
    if (pinned.length === 0) throw invalid({}, 'The theme has no published graphics')
    await tx`insert into theme_version (theme_id, version, notes) values (${themeId}, ${version}, ${asked.notes ?? null})`
    await tx`
      insert into theme_version_graphic (theme_id, version, graphic_id, graphic_version)
      select ${themeId}, ${version}, v.graphic_id, max(v.version)
      from graphic_version v join graphic g on g.id = v.graphic_id
      where g.theme_id = ${themeId} group by v.graphic_id`
    await tx`
      update theme set updated_at = clock_timestamp(),
        active_version = case when ${asked.activate} then ${version} else active_version end
      where id = ${themeId}`
    await tx`select pg_notify('catalog', ${JSON.stringify({ theme: themeId })})`
    return {
      result: {
        version,
        graphics: pinned,
        skipped: graphics
          .filter(({ version: latest }) => latest === null)
          .map(({ graphicId, name }) => ({ graphicId, name, reason: 'NO_PUBLISHED_VERSION' as const })),
      },
      events: [
        { type: 'theme.versionPublished', themeId, version },
        ...(asked.activate ? [{ type: 'theme.activated', themeId, version }] : []),
      ],
    }
  })
  ctx.catalog.forget({ theme: themeId })
  return published
}

async function nextVersion(ctx: RecordContext, tx: TransactionSql, themeId: number): Promise<number> {
  const [theme] = await tx`
    select id from theme where id = ${themeId} and organization_id = ${ctx.organizationId} for update`
  if (!theme) throw notFound()
  const [row] = await tx<{ version: number }[]>`
    select coalesce(max(version), 0) + 1 as version from theme_version where theme_id = ${themeId}`
  return row?.version ?? 1
}

/** Attaches a theme to a competition, with the values of its variables there. Answers the id of the profile. */
export function createProfile(
  ctx: RecordContext,
  asked: {
    competitionId: number
    themeId: number
    name: string
    defaultControlRoomId: number
    isDefault: boolean
    values: Readonly<Record<string, string>>
  },
): Promise<{ id: number }> {
  return ctx.db.write(ctx, { ref: 'theme-profile/new', type: 'create', asked }, async (tx) => {
    await checkProfile(ctx, tx, asked)
    const [profile] = await tx<{ id: number }[]>`
      insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id, is_default)
      values (${ctx.organizationId}, ${asked.competitionId}, ${asked.themeId}, ${asked.name},
        ${asked.defaultControlRoomId}, ${asked.isDefault})
      returning id`
    if (!profile) throw new Error('an insert returned no row')
    for (const [variableId, value] of Object.entries(asked.values))
      await tx`insert into theme_variable_value (theme_profile_id, variable_id, value)
        values (${profile.id}, ${variableId}, ${value})`
    return {
      ref: `theme-profile/${profile.id}`,
      result: profile,
      events: [{ type: 'themeProfile.created', themeProfileId: profile.id, competitionId: asked.competitionId }],
    }
  })
}

async function checkProfile(
  ctx: RecordContext,
  tx: TransactionSql,
  asked: {
    competitionId: number
    themeId: number
    defaultControlRoomId: number
    values: Readonly<Record<string, string>>
  },
) {
  const [competition] = await tx<{ organizationId: number }[]>`
    select organization_id as "organizationId" from competition where id = ${asked.competitionId}`
  if (!competition) throw notFound()
  if (competition.organizationId !== ctx.organizationId) throw forbidden()
  await getTheme(ctx, asked.themeId, tx)
  const [room] = await tx`
    select 1 from control_room where id = ${asked.defaultControlRoomId} and theme_id = ${asked.themeId}`
  if (!room)
    throw invalid({
      'body.defaultControlRoomId': { message: 'not a control room of the theme', value: asked.defaultControlRoomId },
    })
  const known = await tx<{ id: string }[]>`select id from theme_variable where theme_id = ${asked.themeId}`
  const ids = new Set(known.map(({ id }) => id))
  for (const id of Object.keys(asked.values))
    if (!ids.has(id)) throw invalid({ [`body.values.${id}`]: { message: 'the theme has no such variable' } })
}
