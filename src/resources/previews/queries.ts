import { createHash } from 'node:crypto'
import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Shown } from '../../../machines/overlay/model.ts'
import { bundleAddress } from '../../catalog/bundle-address.ts'
import type { Manifest } from '../../ograf/manifest.ts'
import type { SportKey } from '../../schema/sport.ts'
import type { CodeStateMachine } from '../code-graphics/schema.ts'
import type { PreviewCreation } from './schema.ts'

export type StateMachine = z.output<typeof CodeStateMachine>

/** The token of a preview's address, as it is stored. */
export const hashPreviewToken = (token: string) => createHash('sha256').update(token).digest()

export type FoundPreview = {
  organizationId: number
  graphicId: string
  graphicName: string
  kind: Shown['kind']
  sports: SportKey[]
  themeId: number
  settings: PreviewCreation
  expiresAt: Date
}

/** Undefined when nobody was given this token, when it has expired, or when its graphic was deleted. */
export async function findPreview(sql: ISql, token: string): Promise<FoundPreview | undefined> {
  const [preview] = await sql<FoundPreview[]>`
    select t.organization_id as "organizationId", g.id as "graphicId", g.name as "graphicName", g.kind, d.sports,
      g.theme_id as "themeId", p.settings, p.expires_at as "expiresAt"
    from preview p
    join graphic g on g.id = p.graphic_id and g.deleted_at is null
    join theme t on t.id = g.theme_id
    join graphic_draft d on d.graphic_id = g.id
    where p.token_hash = ${hashPreviewToken(token)} and p.expires_at > clock_timestamp()`
  return preview
}

export type PreviewVersion = {
  working: boolean
  /** Of the working copy, the one that it will be published as. */
  version: number
  stateMachine: StateMachine
  /** Null of graphics that are none of OGraf. */
  ograf: { manifest: Manifest } | null
  /** Entry of the bundle, from the root of the host; null while there are no files. */
  url: string | null
}

type Row = Omit<PreviewVersion, 'url'> & { bundleHash: string | null; entry: string | null }

/** The working copy of a graphic and its published versions, newest first; or only the one that is asked for. */
export async function findVersions(sql: ISql, graphicId: string, only?: number | 'working'): Promise<PreviewVersion[]> {
  const rows = await sql<Row[]>`
    select x.working, x.version, x.state_machine as "stateMachine", x.ograf, x.bundle_hash as "bundleHash", b.entry
    from (
      select true as working, version, state_machine, ograf, bundle_hash from graphic_draft where graphic_id = ${graphicId}
      union all
      select false, version, state_machine, ograf, bundle_hash from graphic_version where graphic_id = ${graphicId}
    ) x
    left join bundle b on b.hash = x.bundle_hash
    ${only === undefined ? sql`` : only === 'working' ? sql`where x.working` : sql`where not x.working and x.version = ${only}`}
    order by x.working desc, x.version desc`
  return rows.map(({ bundleHash, entry, ...row }) => ({
    ...row,
    url: bundleHash !== null && entry !== null ? bundleAddress(bundleHash, entry) : null,
  }))
}

/** A theme variable with the text that is in force. */
export type PreviewThemeVariable = {
  name: string
  type: string
  enumOptions: string[] | null
  description: string | null
  isStyle: boolean
  value: string | null
}

export async function findThemeVariables(
  sql: ISql,
  themeId: number,
  profileId: number | undefined,
): Promise<PreviewThemeVariable[]> {
  const variables = await sql<PreviewThemeVariable[]>`
    select v.name, v.type, v.enum_options as "enumOptions", v.description, v.is_style as "isStyle",
      coalesce(s.value, v.default_value) as value
    from theme_variable v
    left join theme_variable_value s on s.variable_id = v.id and s.theme_profile_id = ${profileId ?? null}
    where v.theme_id = ${themeId} order by v.is_style desc, v.name`
  return [...variables]
}
