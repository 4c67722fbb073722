import type { Route } from '../../src/http/route.ts'
import { animatorWith, riv } from '../resources/motion-graphics-support.ts'
import type { Production } from '../resources/support.ts'
import { cardZip, sendZip } from '../support/ograf.ts'

/** Records of one organization by the name that paths and bodies give them. */
export type Records = Readonly<Record<string, string | number>>

type Maker = (production: Omit<Production, 'close'>) => Promise<number | string> | number | string

const first = (ids: readonly number[] | undefined) => {
  const [id] = ids ?? []
  if (id === undefined) throw new Error('the production has no such record')
  return id
}

const made =
  (key: 'id' | 'uploadId', method: string, path: (p: Parameters<Maker>[0]) => string, body: object): Maker =>
  async (production) => {
    const answer = await production.call(method, path(production), body)
    if (answer.status >= 300) throw new Error(`${method} ${path(production)}: ${JSON.stringify(answer.body)}`)
    return Number(answer.body[key])
  }

const walked = (themeId: number) => `Walk ${themeId}`

/** How each parameter gets a record; one that a new route brings is added here. */
const MAKERS: Readonly<Record<string, Maker>> = {
  competitionId: ({ competitionId }) => competitionId,
  competitionThemeSettingId: ({ themeProfileId }) => themeProfileId,
  teamId: ({ teamIds }) => first(teamIds),
  homeTeamId: ({ teamIds }) => first(teamIds),
  awayTeamId: ({ teamIds }) => first(teamIds.slice(1)),
  playerId: ({ teamIds, playerIds }) => first(playerIds[first(teamIds)]),
  secondaryPlayerId: ({ teamIds, playerIds }) => first(playerIds[first(teamIds)]?.slice(1)),
  officialId: ({ officialIds }) => first(officialIds),
  venueId: ({ venueId }) => venueId,
  defaultVenueId: ({ venueId }) => venueId,
  gradeId: ({ gradeId }) => gradeId,
  matchId: ({ matchId }) => matchId,
  overlayId: ({ overlay }) => overlay.id,
  themeId: ({ themeId }) => themeId,
  profileId: ({ themeProfileId }) => themeProfileId,
  version: () => 1,
  async variableId({ call, themeId }) {
    const variable = { name: `Walk ${themeId}`, type: 'string' }
    return String((await call('POST', `/v2/themes/${themeId}/variables`, variable)).body.id)
  },
  templateId: made('id', 'POST', ({ themeId }) => `/v2/themes/${themeId}/data-source-templates`, {
    alias: 'walk',
    sourceType: 'csv',
    shape: 'rows',
    sample: 'team,points\nNorth,3\n',
  }),
  // the template that was just made
  alias: () => 'walk',
  async motionGraphicId({ call, server, organizationId, themeId, apiKey }) {
    const animator = animatorWith(server, organizationId, themeId, apiKey)
    const { graphicId } = await animator.made(`Walk ${themeId}`)
    await animator.change('POST', graphicId, '/control-variables', { name: walked(themeId), type: 'string' })
    await animator.change('POST', graphicId, '/user-expressions', { name: walked(themeId), expression: '1' })
    await call('POST', animator.pathOf(graphicId, '/publish'))
    return graphicId
  },
  async ografGraphicId({ call, server, themeId, apiKey }) {
    const zip = cardZip({ id: walked(themeId), name: `Walk OGraf ${themeId}` })
    const { body } = await sendZip({ server, key: apiKey, themeId }, zip)
    if (!body.graphics) throw new Error(JSON.stringify(body))
    const graphicId = body.graphics[0]?.graphicId ?? ''
    await call('POST', `/v2/themes/${themeId}/ograf-graphics/${graphicId}/publish`)
    return graphicId
  },
  async jobId({ server, organizationId, themeId, apiKey }) {
    const animator = animatorWith(server, organizationId, themeId, apiKey)
    const { graphicId } = await animator.create(`Import ${themeId}`)
    return (await animator.send(graphicId, 'card.riv', riv)).jobId
  },
  controlVariableId: ({ themeId }) => walked(themeId),
  userExpressionId: ({ themeId }) => walked(themeId),
  dataBindingId: () => 'headline',
  stateMachineInputId: () => 'onAir',
  motionAssetId: () => '12',
  graphicId: ({ presets }) => presets[0]?.graphicId ?? '',
  scenarioId: () => 'football-goal',
  sectionId: ({ sectionIds }) => sectionIds[0] ?? '',
  presetId: ({ presets }) => presets[0]?.id ?? 0,
  roomId: ({ controlRoomId }) => controlRoomId,
  controlRoomId: ({ controlRoomId }) => controlRoomId,
  defaultControlRoomId: ({ controlRoomId }) => controlRoomId,
  streamSettingsId: ({ streamSettingsId }) => streamSettingsId,
  inputId: ({ inputId }) => inputId,
  destinationId: ({ destinationIds }) => first(destinationIds),
  clubId: made('id', 'POST', () => '/v1/teams/clubs', { name: 'Walk Club' }),
  async scheduledId({ call, overlay, presets }) {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const command = { action: 'show', presetId: presets[0]?.id, at }
    const { body } = await call('POST', `/v2/overlays/${overlay.id}/graphics/commands`, command)
    return (body.scheduled as { id: number }[]).at(-1)?.id ?? 0
  },
  brandId: made('id', 'POST', () => '/v2/brands', { name: 'Walk Brand' }),
  webhookId: made('id', 'POST', () => '/v2/webhooks', { url: 'https://receiver.example/tally', events: ['*'] }),
  async deliveryId({ call }) {
    const { body } = await call('GET', '/v2/webhooks')
    const { id } = (body.webhooks as { id: number }[]).at(-1) ?? { id: 0 }
    const { body: sent } = await call('POST', `/v2/webhooks/${id}/test`)
    // no attempt of it must look like the work of a request
    await call('PATCH', `/v2/webhooks/${id}`, { enabled: false })
    return String(sent.id)
  },
  factId: made('id', 'POST', ({ matchId }) => `/v2/matches/${matchId}/facts`, { type: 'matchStart' }),
  uploadId: made('uploadId', 'POST', ({ teamIds }) => `/v1/teams/${first(teamIds)}/logo/uploads`, {
    contentType: 'image/png',
    size: 1000,
    sha256: 'a'.repeat(64),
  }),
}

/** What a path calls only `id`, by what it stands below. */
const IDS: Readonly<Record<string, string>> = {
  variables: 'variableId',
  'data-source-templates': 'templateId',
  'control-variables': 'controlVariableId',
  'user-expressions': 'userExpressionId',
  'data-bindings': 'dataBindingId',
  scheduled: 'scheduledId',
  'state-machine-inputs': 'stateMachineInputId',
  assets: 'motionAssetId',
}

/** The path of a route with a name of its own for each record. */
export const namedPath = ({ path }: Pick<Route, 'path'>) =>
  path
    .replace('motion-graphics/{graphicId}', 'motion-graphics/{motionGraphicId}')
    .replace('ograf-graphics/{graphicId}', 'ograf-graphics/{ografGraphicId}')
    .replace(/([\w-]+)\/\{id\}/g, (_, above: string) => `${above}/{${IDS[above] ?? 'id'}}`)

/** The parameters of a route by the names of their records. */
export const paramsOf = (route: Pick<Route, 'path'>) =>
  [...namedPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** Of everything that the routes name, one record of this organization. */
export async function recordsOf(production: Omit<Production, 'close'>, routes: readonly Route[]): Promise<Records> {
  const named = new Set(routes.flatMap((route) => [...paramsOf(route), ...bodyKeys(route)]))
  const records: Record<string, string | number> = {}
  for (const [name, maker] of Object.entries(MAKERS)) if (named.has(name)) records[name] = await maker(production)
  return records
}

const bodyKeys = ({ body }: Route) => Object.keys(body && 'shape' in body ? (body.shape as object) : {})
