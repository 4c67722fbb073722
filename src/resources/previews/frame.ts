import type { Sql } from 'postgres'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { ografCard, ografShown } from '../../catalog/ograf-card.ts'
import { invalid } from '../../errors.ts'
import type { Scope } from '../../expressions/scope.ts'
import { isGdd } from '../../ograf/gdd.ts'
import type { Parsing } from '../../parsing/pool.ts'
import { told } from '../../parsing/refusals.ts'
import { themeValue } from '../../schema/theme-variable.ts'
import { shownBrands } from '../brands/shown.ts'
import { type GivenValue, type GivenValues, wrongValue } from '../control-variables.ts'
import { sampleDataSources } from '../data-sources/templates.queries.ts'
import { saidOf } from '../game-plans/played-match.ts'
import { composeSportData } from '../matches/compose-sport-data.ts'
import { byKind, computedOf, scopeOf } from '../matches/graphic-expressions.ts'
import { wantedBeside } from '../matches/graphic-wants.ts'
import { asked } from '../matches/live-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import { findSportParts, later } from '../matches/sport-data.ts'
import { type Wants, wantsIn } from '../matches/wants.ts'
import { withDefaults } from '../overlays/values.ts'
import { matchAt, momentOf } from '../scenarios/moment.ts'
import { findScenario } from '../scenarios/queries.ts'
import { findPreviewBrands, withFirstBrands } from './brands.ts'
import { adChoices, choicesOf } from './choices.ts'
import { type FoundPreview, findThemeVariables, findVersions, type StateMachine } from './queries.ts'
import type { FrameRequest } from './schema.ts'

type Asked = ReturnType<typeof asked>

/** Makes LOAD_GRAPHIC of a graphic and its values, as on air. JSON text of the whole frame. */
export type Load = (
  graphic: OnAir,
  sport: string,
  live: { themeVariables: Readonly<Record<string, unknown>>; data: object; revisions: Record<string, number> } & Asked,
) => string

/** `now`: ms since 1970. `shownAt`: the time at which the data of a scenario is shown; now unless said. */
type FrameParts = { load: Load; now: number; shownAt?: number | undefined; parsing: Parsing; publicUrl: string }

/**
 * The frame of one version in one scenario, JSON text: `{frame, variables, choices, leftOut}`. A clock that runs shows the
 * scenario's time now. Values that the version does not know, or that have no such type, are left out and named. Throws invalid.
 */
export async function previewFrame(
  sql: Sql,
  preview: FoundPreview,
  { version, scenarioId, at, variableValues, themeVariableValues }: FrameRequest,
  { load, now, shownAt = now, parsing, publicUrl }: FrameParts,
): Promise<string> {
  const { graphicId, graphicName, kind, themeId, settings } = preview
  const [[found], themeVariables, dataSources, ads, shown] = await Promise.all([
    findVersions(sql, graphicId, version),
    findThemeVariables(sql, themeId, settings.profileId),
    sampleDataSources(sql, themeId),
    findPreviewBrands(sql, preview),
    scenarioId === undefined
      ? matchMoment(sql, publicUrl, settings.matchId, { at, now })
      : scenarioMoment(scenarioId, at),
  ])
  if (!found) throw invalid({ 'body.version': { message: 'the graphic has no such version', value: version } })
  if (found.url === null) throw invalid({ 'body.version': { message: 'it has no files yet', value: version } })
  const theme: Record<string, string | number | boolean> = {}
  for (const { name, value, ...kind } of themeVariables) {
    const text = themeVariableValues[name] ?? value
    const given = text === null ? undefined : (themeValue(kind, text) ?? themeValue(kind, value ?? ''))
    if (given !== undefined) theme[name] = given
  }
  const { given, leftOut, variables } = fitting(found.stateMachine, variableValues)
  const values = withFirstBrands(given, ads, now)
  const brands = shownBrands(ads.brands, publicUrl)
  const graphic: OnAir = {
    graphicId,
    graphicName,
    kind,
    version: found.version,
    url: found.url,
    themeId,
    themeVersion: 0,
    roomId: 0,
    sectionId: '',
    presetId: 0,
    values,
    loadSeq: 0,
    seq: 0,
    ...(found.ograf && { ograf: ografShown(ografCard(found.ograf.manifest)) }),
  }
  const { sport } = shown.data.match
  const data = { ...later(shown.data, shownAt - Date.parse(shown.at)), dataSources }
  const wants = wantsIn(found.stateMachine)
  const trial = { sport, parts: data, whole: data, brands }
  const computed = await tried(parsing, preview.organizationId, wants, scopeOf(wants, values, trial, theme))
  const wanted = wantedBeside(wants)
  const live = {
    themeVariables: theme,
    data,
    revisions: {},
    ...asked({ wants: () => wanted, themeValues: theme }, data, brands),
    computed: () => computed,
  }
  const choices = { ...choicesOf(shown.whole), ad: adChoices(ads.brands, ads.slots) }
  const rest = { variables, choices, leftOut }
  return `{"frame":${load(graphic, sport, live)},${JSON.stringify(rest).slice(1)}`
}

/** The data of a match at a moment (ISO 8601), and what there is to choose from. */
type Moment = { at: string; data: SportData; whole: SportData }

function scenarioMoment(scenarioId: string, at: string | undefined): Moment {
  const scenario = findScenario(scenarioId)
  if (!scenario) throw invalid({ 'body.scenarioId': { message: 'there is no such scenario', value: scenarioId } })
  return { ...(at === undefined ? scenario : momentOf(scenario, at)), whole: scenario.data }
}

/** The match that a preview was made with, as it stands, or as its facts say that it stood. Throws invalid when there is none. */
async function matchMoment(
  sql: Sql,
  publicUrl: string,
  matchId: number | undefined,
  { at, now }: { at: string | undefined; now: number },
): Promise<Moment> {
  const parts = matchId === undefined ? undefined : await findSportParts(sql, publicUrl, matchId)
  if (matchId === undefined || !parts)
    throw invalid({ 'body.scenarioId': { message: 'the preview was made with no match that is still there' } })
  const whole = composeSportData(parts)
  if (at === undefined || Date.parse(at) >= now) return { at: new Date(now).toISOString(), data: whole, whole }
  return { at, data: matchAt(parts, await saidOf(sql, matchId, parts.match), at), whole }
}

/** Anybody with the address may ask, as often as they like: not on the loop that serves all requests. */
async function tried(parsing: Parsing, organizationId: number, wants: Wants, scope: Scope) {
  const { expressions, bound } = wants
  if (expressions.length + bound.length === 0) return {}
  const job = { kind: 'evaluate', expressions, bound, scope: JSON.stringify(scope) } as const
  const found = await told(() => parsing.run(organizationId, job))
  return computedOf(byKind(wants, found.userExpressions, found.bound))
}

/** The values that a version can take, and the names of the others. */
function fitting({ controlVariables = [] }: StateMachine, asked: GivenValues) {
  const variables = controlVariables.map(
    ({ name, type, options, defaultValue, description, title, gddType, schema }) => ({
      name,
      type,
      ...(typeof title === 'string' && { title }),
      ...(typeof gddType === 'string' && { gddType }),
      ...(isGdd(schema) && { schema }),
      ...(options && { options }),
      ...(defaultValue !== undefined && { defaultValue }),
      ...(description !== undefined && { description }),
    }),
  )
  const known = new Map(variables.map((variable) => [variable.name, variable]))
  const fits = ([name, value]: [string, GivenValue]) => wrongValue(known.get(name), value) === undefined
  const entries = Object.entries(asked)
  // of a brand the default goes on air with the values
  const brands = variables.flatMap(({ name, type, defaultValue }) =>
    type === 'ad' && defaultValue != null ? [[name, defaultValue] as const] : [],
  )
  return {
    variables,
    given: withDefaults(
      { ...Object.fromEntries(brands), ...Object.fromEntries(entries.filter(fits)) },
      { variables: known },
    ),
    leftOut: entries.filter((entry) => !fits(entry)).map(([name]) => name),
  }
}
