import { createHash, randomBytes } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { Context, RecordContext } from '../../context.ts'
import { type FieldErrors, forbidden, insufficientScope, invalid } from '../../errors.ts'
import { isGdd } from '../../ograf/gdd.ts'
import { themeValueProblem } from '../../schema/theme-variable.ts'
import { checkGraphic } from '../code-graphics/queries.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { type GivenValues, valueErrors, wrongValue } from '../control-variables.ts'
import { findScenario } from '../scenarios/queries.ts'
import { findThemeVariables, findVersions, hashPreviewToken } from './queries.ts'
import type { Preview, PreviewCreation } from './schema.ts'

const LASTS_HOURS = 24

/** Makes an address under which one graphic is looked at without a key for a day. Throws notFound, invalid and insufficientScope. */
export function createPreview(
  ctx: RecordContext & Pick<Context, 'scopes'>,
  path: GraphicPath,
  asked: PreviewCreation,
): Promise<z.output<typeof Preview>> {
  const token = randomBytes(32).toString('base64url')
  const ref = `preview/${createHash('sha256').update(hashPreviewToken(token)).digest('hex').slice(0, 24)}`
  const { version, scenarioId, matchId, profileId } = asked
  // whoever has the address sees the match
  if (matchId !== undefined && !ctx.scopes.has('matches:read')) throw insufficientScope('matches:read')
  const noted = { graphicId: path.graphicId, version, scenarioId, matchId, profileId }
  return ctx.db.write(ctx, { ref, type: 'create', asked: noted }, async (tx) => {
    // a deletion of its theme that is under way is waited for
    await tx`select from graphic where id = ${path.graphicId} for key share`
    await checkGraphic(ctx, path, tx)
    const details = await problems(ctx, tx, path, asked)
    if (Object.keys(details).length > 0) throw invalid(details)
    const [row] = await tx<{ expiresAt: Date }[]>`
      insert into preview (token_hash, graphic_id, settings, expires_at)
      values (${hashPreviewToken(token)}, ${path.graphicId}, ${tx.json(asked)},
        clock_timestamp() + make_interval(hours => ${LASTS_HOURS}))
      returning expires_at as "expiresAt"`
    if (!row) throw new Error('an insert returned no row')
    const expiresAt = row.expiresAt.toISOString()
    return {
      result: { url: `${ctx.publicUrl}/preview/${token}`, expiresAt },
      events: [{ type: 'preview.created', graphicId: path.graphicId, expiresAt }],
    }
  })
}

async function problems(
  ctx: RecordContext,
  tx: TransactionSql,
  { themeId, graphicId }: GraphicPath,
  { version, scenarioId, matchId, variableValues, themeVariableValues, profileId }: PreviewCreation,
): Promise<FieldErrors> {
  const details: FieldErrors = {}
  const [found] = await findVersions(tx, graphicId, version)
  if (!found) details['body.version'] = { message: 'the graphic has no such version', value: version }
  else Object.assign(details, wrongValues(found.stateMachine.controlVariables, variableValues))
  if (scenarioId !== undefined && !findScenario(scenarioId))
    details['body.scenarioId'] = { message: 'there is no such scenario', value: scenarioId }
  if (matchId !== undefined && !(await isThere(ctx, tx, matchId)))
    details['body.matchId'] = { message: 'there is no such match', value: matchId }
  if (profileId !== undefined && !(await isOfTheme(ctx, tx, themeId, profileId)))
    details['body.profileId'] = { message: 'not a profile of the theme', value: profileId }
  const variables = new Map((await findThemeVariables(tx, themeId, undefined)).map((one) => [one.name, one]))
  for (const [name, value] of Object.entries(themeVariableValues)) {
    const variable = variables.get(name)
    const message = variable ? themeValueProblem(variable, value) : 'the theme has no such variable'
    if (message !== undefined) details[`body.themeVariableValues.${name}`] = { message, value }
  }
  return details
}

function wrongValues(
  variables: readonly { name: string; type: string; options?: string[] | undefined; schema?: unknown }[] = [],
  given: GivenValues,
) {
  const known = new Map(
    variables.map(({ name, type, options, schema }) => [
      name,
      { type, ...(options && { options }), ...(isGdd(schema) && { schema }) },
    ]),
  )
  return valueErrors(given, (name, value) => wrongValue(known.get(name), value))
}

async function isThere({ organizationId }: RecordContext, tx: TransactionSql, matchId: number) {
  const [match] = await tx<{ organizationId: number }[]>`
    select organization_id as "organizationId" from match where id = ${matchId}`
  if (match && match.organizationId !== organizationId) throw forbidden()
  return match !== undefined
}

async function isOfTheme(ctx: RecordContext, tx: TransactionSql, themeId: number, profileId: number) {
  const [profile] = await tx<{ themeId: number; organizationId: number }[]>`
    select theme_id as "themeId", organization_id as "organizationId" from theme_profile
    where id = ${profileId} and archived_at is null`
  if (profile && profile.organizationId !== ctx.organizationId) throw forbidden()
  return profile?.themeId === themeId
}
