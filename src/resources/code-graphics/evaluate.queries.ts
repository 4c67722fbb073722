import { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { told } from '../../parsing/refusals.ts'
import { SportKey } from '../../schema/sport.ts'
import { shownBrands } from '../brands/shown.ts'
import { valueErrors, wrongValue } from '../control-variables.ts'
import { pushedDataSources } from '../data-sources/queries.ts'
import { sampleDataSources } from '../data-sources/templates.queries.ts'
import { type AllEvaluated, byKind, scopeOf, type Trial } from '../matches/graphic-expressions.ts'
import { type SportData, sportDataSchema } from '../matches/sport-data.schema.ts'
import { findSportData } from '../matches/sport-data.ts'
import { themeValues } from '../matches/theme-values.ts'
import { wantsIn } from '../matches/wants.ts'
import { checkOwn, owned } from '../ownership.ts'
import { findScenario } from '../scenarios/queries.ts'
import type { Evaluation, EvaluationAnswer } from './evaluate.schema.ts'
import { getCodeGraphic, getCodeGraphicVersion } from './queries.ts'
import type { GraphicPath } from './schema.ts'

type Asked = z.output<typeof Evaluation>
type Data = NonNullable<Asked['data']>

/** The results of every user expression of a version on some data. Changes nothing; faults are part of the answer. domain 5.12 */
export async function evaluateGraphic(
  ctx: Context,
  path: GraphicPath,
  asked: Asked,
): Promise<z.output<typeof EvaluationAnswer>> {
  const { version } = asked
  const { stateMachine } =
    version === 'working'
      ? await getCodeGraphic(ctx, path.themeId, path.graphicId)
      : await getCodeGraphicVersion(ctx, { ...path, version })
  const { userExpressions } = await tryExpressions(ctx, path.themeId, stateMachine, asked)
  return { rows: [], userExpressions, unresolved: failedOf(userExpressions) }
}

export const failedOf = (rows: readonly { ok: boolean }[]) => rows.filter(({ ok }) => !ok).length

/**
 * The results of each expression of a state machine on data of the caller: worked out away from the loop that serves
 * everybody, since both are the caller's. Throws invalid, notFound, forbidden and unavailable.
 */
export async function tryExpressions(
  ctx: Context,
  themeId: number,
  stateMachine: object,
  asked: Asked,
): Promise<AllEvaluated> {
  const { variableValues } = asked
  const { sql } = ctx.db
  const found = await trialOf(ctx, asked, Tried.safeParse(stateMachine).data?.selectedSport)
  const profileId = await profileOf(ctx, themeId, asked)
  const [theme, dataSources] = await Promise.all([
    themeValues(sql, themeId, profileId),
    profileId === null ? triedOut(ctx, themeId, asked) : pushedDataSources(sql, profileId),
  ])
  const brands = shownBrands(await ctx.catalog.brands(ctx.organizationId), ctx.publicUrl)
  const trial = { ...found, parts: { dataSources, ...found.parts }, brands }
  const wants = wantsIn(stateMachine)
  const variables = new Map(wants.variables.map((variable) => [variable.name, variable]))
  const wrong = valueErrors(variableValues, (name, value) => wrongValue(variables.get(name), value))
  if (wrong) throw invalid(wrong)
  const scope = JSON.stringify(scopeOf(wants, variableValues, trial, theme))
  const { expressions, bound } = wants
  const tried = await told(() => ctx.parsing.run(ctx.organizationId, { kind: 'evaluate', expressions, bound, scope }))
  return byKind(wants, tried.userExpressions, tried.bound)
}

/** A real match has nothing before somebody pushes it; anything else is a trial, with the samples of the templates. */
const triedOut = ({ db }: Context, themeId: number, { matchId }: Asked) =>
  matchId === undefined ? sampleDataSources(db.sql, themeId) : {}

/** The sport that its maker tries a graphic on, when a trial names none. */
const Tried = z.object({ selectedSport: SportKey })

async function trialOf(ctx: Context, asked: Asked, tried: SportKey | undefined): Promise<Omit<Trial, 'brands'>> {
  const whole = await dataOf(ctx, asked)
  if (!whole) {
    const { data = {}, sport = sportIn(data) ?? tried } = asked
    return { sport, parts: data, whole: sport ? rightParts(data, sport) : {} }
  }
  const { sport } = whole.match
  if (asked.sport !== undefined && asked.sport !== sport)
    throw invalid({ 'body.sport': { message: `the data is of ${sport}`, value: asked.sport } })
  return { sport, parts: whole, whole }
}

/** The data of a scenario or a match; undefined when neither is named. */
async function dataOf(ctx: Context, { scenarioId, matchId }: Asked): Promise<SportData | undefined> {
  if (scenarioId !== undefined) {
    const scenario = findScenario(scenarioId)
    if (!scenario) throw invalid({ 'body.scenarioId': { message: 'no such scenario', value: scenarioId } })
    return scenario.data
  }
  if (matchId === undefined) return undefined
  const found = await findSportData(ctx.db.sql, ctx.publicUrl, matchId)
  checkOwn(ctx, found)
  return found.data
}

const Sported = z.object({ match: z.object({ sport: SportKey }) })
const sportIn = (data: Data): SportKey | undefined => Sported.safeParse(data).data?.match.sport

/** Of the caller's data, the parts that have the shape of a match of the sport: others name no record. */
function rightParts(data: Data, sport: SportKey): Partial<SportData> {
  const right = Object.entries(sportDataSchema(sport).shape).filter(
    ([part, schema]) => Object.hasOwn(data, part) && schema.safeParse(data[part]).success,
  )
  return Object.fromEntries(right.map(([part]) => [part, data[part]]))
}

/** The profile that the caller names: missing 404, another organization's 403, of another theme 400. */
async function profileOf(ctx: Context, themeId: number, { competitionThemeSettingId: id }: Asked) {
  if (id === undefined) return null
  const [row] = await ctx.db.sql<{ organizationId: number; themeId: number }[]>`
    select organization_id as "organizationId", theme_id as "themeId" from theme_profile where id = ${id}`
  if (owned(ctx, row).themeId !== themeId)
    throw invalid({ 'body.competitionThemeSettingId': { message: 'a profile of another theme', value: id } })
  return id
}
