import type { Sql } from 'postgres'
import { z } from 'zod'
import { invalid, malformedBody, notFound } from '../../errors.ts'
import type { HttpReply, HttpRequest, Page } from '../../http/message.ts'
import type { Parsing } from '../../parsing/pool.ts'
import { SPORTS } from '../../schema/sport.ts'
import { matchLabel } from '../matches/record-names.ts'
import { findSportData } from '../matches/sport-data.ts'
import { scenariosOf } from '../scenarios/queries.ts'
import { type Load, previewFrame } from './frame.ts'
import { type FoundPreview, findPreview, findThemeVariables, findVersions } from './queries.ts'
import { FrameRequest } from './schema.ts'

export type PreviewParts = {
  sql: Sql
  load: Load
  parsing: Parsing
  /** Without a trailing slash. */
  publicUrl(): string
  /** Gives up a wait for the database. */
  within<T>(work: Promise<T>): Promise<T>
}

const MAX_BODY_BYTES = 256 * 1024

/**
 * The requests of a preview's page: `/preview/{token}/info` once, `/preview/{token}/frame` for each picture. The token is all that
 * it takes; one that is unknown, has expired or whose graphic is gone answers 404.
 */
export function previewPages({ sql, load, parsing, publicUrl, within }: PreviewParts): Page[] {
  const known = async (token: string) => {
    const preview = await within(findPreview(sql, token))
    if (!preview) throw notFound()
    return preview
  }
  return [
    {
      path: '/preview/{token}/info',
      handle: async (_request, { token = '' }) =>
        json(JSON.stringify(await within(infoOf(sql, publicUrl(), await known(token))))),
    },
    {
      path: '/preview/{token}/frame',
      methods: ['POST'],
      async handle(request, { token = '' }) {
        const preview = await known(token)
        const asked = await readFrameRequest(request)
        return json(
          await within(previewFrame(sql, preview, asked, { load, parsing, publicUrl: publicUrl(), now: Date.now() })),
        )
      },
    },
  ]
}

async function readFrameRequest(request: HttpRequest) {
  const body = await request.body(MAX_BODY_BYTES)
  let value: unknown
  try {
    value = JSON.parse(String(body))
  } catch {
    throw malformedBody()
  }
  const { success, data, error } = FrameRequest.safeParse(value)
  if (success) return data
  throw invalid(
    Object.fromEntries(error.issues.map(({ path, message }) => [['body', ...path.map(String)].join('.'), { message }])),
  )
}

/** The sport that the maker of a graphic tries it on. */
const Tried = z.object({ selectedSport: z.enum(SPORTS) })

async function infoOf(sql: Sql, publicUrl: string, preview: FoundPreview) {
  const { graphicId, graphicName, sports, themeId, settings, expiresAt } = preview
  const { matchId } = settings
  const [versions, themeVariables, played] = await Promise.all([
    findVersions(sql, graphicId),
    findThemeVariables(sql, themeId, settings.profileId),
    matchId === undefined ? undefined : findSportData(sql, publicUrl, matchId),
  ])
  const tried = Tried.safeParse(versions.find(({ working }) => working)?.stateMachine).data?.selectedSport
  const sport = tried ?? sports[0] ?? 'football'
  const { profileId: _, scenarioId = matchId === undefined ? `${sport}-live` : undefined, ...begins } = settings
  return {
    graphic: { name: graphicName, sports },
    expiresAt: expiresAt.toISOString(),
    versions: versions.map(({ working, version, url }) => ({
      version: working ? 'working' : version,
      number: version,
      empty: url === null,
    })),
    scenarios: SPORTS.flatMap(scenariosOf),
    ...(played && { match: { name: matchLabel(played.data), sport: played.data.match.sport } }),
    themeVariables,
    settings: { ...begins, ...(scenarioId !== undefined && { scenarioId }) },
  }
}

const json = (body: string): HttpReply => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
})
