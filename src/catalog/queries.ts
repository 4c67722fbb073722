import type { Sql } from 'postgres'
import type { Manifest } from '../ograf/manifest.ts'
import { engineRequirements } from '../ograf/requirements.ts'
import { bundleAddress } from './bundle-address.ts'
import type {
  BrandCard,
  Brands,
  Members,
  NameKind,
  OverlayCard,
  PinnedGraphic,
  PresetCard,
  RoomCard,
  SponsorSlot,
  SponsorSlots,
  Variable,
} from './cards.ts'
import { ografCard } from './ograf-card.ts'
import { storedPart } from './stored-part.ts'

const overlayCards = (sql: Sql) => sql`
  select o.id, o.organization_id as "organizationId", o.match_id as "matchId",
    m.competition_id as "competitionId", m.sport,
    o.control_room_id as "roomId", coalesce(r.theme_id, p.theme_id) as "themeId", o.theme_profile_id as "profileId",
    o.ad_type as "adType",
    o.auto_mode and exists (select from game_plan g where g.theme_profile_id = o.theme_profile_id and g.rules::text <> '[]')
      as automatic,
    json_build_object('key', o.key, 'monitoring', o.monitoring_digest, 'control', o.control_digest) as tokens
  from overlay o
  join match m on m.id = o.match_id
  left join control_room r on r.id = o.control_room_id
  left join theme_profile p on p.id = o.theme_profile_id`

export async function findOverlayCard(sql: Sql, overlayId: number): Promise<OverlayCard | undefined> {
  const [row] = await sql<OverlayCard[]>`${overlayCards(sql)} where o.id = ${overlayId}`
  return row
}

/** At most `limit`, the oldest first. */
export async function findNewestOverlayCards(sql: Sql, limit: number): Promise<OverlayCard[]> {
  const rows = await sql<OverlayCard[]>`${overlayCards(sql)} order by o.id desc limit ${limit}`
  return rows.reverse()
}

const COLUMN_OF: Readonly<Record<NameKind, string>> = {
  key: 'key',
  monitoring: 'monitoring_digest',
  control: 'control_digest',
}

/** The overlay that has this well-formed name; of a token, its digest. */
export async function findOverlayId(sql: Sql, by: NameKind, name: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select id from overlay where ${sql(COLUMN_OF[by])} = ${name}`
  return row?.id
}

export async function findRoomCard(sql: Sql, roomId: number): Promise<RoomCard | undefined> {
  const presets = await sql<PresetCard[]>`
    select p.id, r.organization_id as "organizationId", r.id as "roomId", r.theme_id as "themeId",
      p.section_id as "sectionId", p.graphic_id as "graphicId", p.variable_values as "values", p.exposed_variables as "exposed"
    from preset p
    join control_room r on r.id = p.control_room_id
    join section s on s.id = p.section_id
    where r.id = ${roomId}
    order by s.order_index, p.order_index, p.id`
  return { id: roomId, presets: [...presets] }
}

/** The active version; undefined when none is. */
export async function findTheme(sql: Sql, themeId: number): Promise<{ version: number } | undefined> {
  const [row] = await sql<{ version: number }[]>`
    select active_version as version from theme where id = ${themeId} and active_version is not null`
  return row
}

type PinnedRow = Omit<
  PinnedGraphic,
  'url' | 'variables' | 'ads' | 'requirements' | 'ograf' | 'themeId' | 'themeVersion'
> & {
  bundleHash: string | null
  entry: string | null
  variables: Variable[] | null
  engine: unknown
  ograf: { manifest: Manifest } | null
}

/** Undefined when the theme has no such version. */
export async function findPinned(sql: Sql, themeId: number, version: number) {
  const rows = await sql<PinnedRow[]>`
    select g.id as "graphicId", g.name as "graphicName", g.kind, v.version, v.bundle_hash as "bundleHash", b.entry,
      v.state_machine->'controlVariables' as variables, v.state_machine->'runtime'->'engine' as engine, v.ograf
    from theme_version_graphic t
    join graphic_version v on v.graphic_id = t.graphic_id and v.version = t.graphic_version
    join graphic g on g.id = t.graphic_id
    left join bundle b on b.hash = v.bundle_hash
    where t.theme_id = ${themeId} and t.version = ${version}`
  if (rows.length === 0) return undefined
  return new Map<string, PinnedGraphic>(
    rows.map(({ bundleHash, entry, variables, engine, ograf, ...graphic }) => [
      graphic.graphicId,
      {
        ...graphic,
        themeId,
        themeVersion: version,
        url: bundleHash && entry ? bundleAddress(bundleHash, entry) : '',
        variables: new Map((variables ?? []).map((variable) => [variable.name, variable])),
        ...adsOf(variables ?? []),
        ...requirementsOf(ograf?.manifest.renderRequirements ?? engineRequirements(engine)),
        ...(ograf && { ograf: ografCard(ograf.manifest) }),
      },
    ]),
  )
}

const requirementsOf = (requirements: readonly unknown[]): Pick<PinnedGraphic, 'requirements'> =>
  requirements.length > 0 ? { requirements } : {}

function adsOf(variables: readonly Variable[]): Pick<PinnedGraphic, 'ads'> {
  const ads = variables.filter(({ type }) => type === 'ad').map(({ name }) => name)
  return ads.length > 0 ? { ads } : {}
}

/** Teams that compete, the players of the match (those who compete themselves and everyone on the teams' rosters), its facts. */
export async function findMembers(sql: Sql, matchId: number): Promise<Members> {
  const rows = await sql<{ teamId: number | null; playerId: number | null; factId: number | null }[]>`
    select team_id as "teamId", player_id as "playerId", null::int as "factId"
      from match_competitor where match_id = ${matchId}
    union
    select null, e.player_id, null from match_competitor c join roster_entry e on e.team_id = c.team_id
      where c.match_id = ${matchId}
    union
    select null, null, (fact->>'id')::int
      from actor a, json_array_elements(${storedPart(sql, 'a', 'facts', 'array')}) fact where a.ref = ${`match/${matchId}`}`
  const ids = (key: 'teamId' | 'playerId' | 'factId') =>
    new Set(rows.map((row) => row[key]).filter((id) => id !== null))
  return { teams: ids('teamId'), players: ids('playerId'), facts: ids('factId') }
}

type GraphicNames = { graphicId?: string | undefined; graphicName?: string | undefined }

/** The graphics of the theme that have this id and name now, pinned or not. */
export async function graphicsNamed(sql: Sql, themeId: number, { graphicId, graphicName }: GraphicNames) {
  const rows = await sql<{ id: string }[]>`
    select id from graphic
    where (deleted_at is null or exists (select from theme_version_graphic t where t.graphic_id = graphic.id)) and theme_id = ${themeId} and id = coalesce(${graphicId ?? null}, id) and name = coalesce(${graphicName ?? null}, name)`
  return rows.map(({ id }) => id)
}

/** The brands of an organization that were not deleted. */
export const findBrands = (sql: Sql, organizationId: number): Promise<Brands> =>
  readBrands(sql, sql`organization_id = ${organizationId} and deleted_at is null`)

/** The brands that a match may have shown, also those that were deleted since. */
export const findBrandsOfMatch = (sql: Sql, matchId: number): Promise<Brands> =>
  readBrands(sql, sql`organization_id = (select organization_id from match where id = ${matchId})`)

async function readBrands(sql: Sql, which: ReturnType<Sql>): Promise<Brands> {
  const rows = await sql<BrandCard[]>`
    select id, name, logo_blob as logo, primary_color as "primaryColor", text_color as "textColor", tagline, active, house,
      extract(epoch from valid_from)::float8 * 1000 as "from", extract(epoch from valid_to)::float8 * 1000 as "to"
    from brand where ${which}`
  return new Map(rows.map((brand) => [brand.id, brand]))
}

/** The sponsor slots of a theme profile. */
export async function findSlots(sql: Sql, profileId: number): Promise<SponsorSlots> {
  const [row] = await sql<
    { slots: SponsorSlot[] }[]
  >`select slots from sponsor_slots where theme_profile_id = ${profileId}`
  return new Map((row?.slots ?? []).map((slot) => [slot.id, slot]))
}
