import type { Sql } from 'postgres'
import type { Shown } from '../../../machines/overlay/model.ts'
import { createCache, type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Catalog, Notifications } from '../../catalog/catalog.ts'
import { findBrands, findOverlayCard } from '../../catalog/queries.ts'
import type { Log } from '../../expressions/expression-set.ts'
import { NO_BRANDS, type ShownBrands, shownBrands } from '../brands/shown.ts'
import { pushedDataSources } from '../data-sources/queries.ts'
import { findShownStandings } from '../standings/queries.ts'
import { wantsOf } from './graphic-wants.ts'
import { recordNames } from './record-names.ts'
import { selectedRecords } from './selected-records.ts'
import type { SportData } from './sport-data.schema.ts'
import { atDelay, type FoundSportData, findSportData } from './sport-data.ts'
import { themeValues } from './theme-values.ts'

/** The style of an overlay: the theme's variables with the values of its profile, and the data that its graphics ask for. */
type Style = {
  organizationId: number
  themeValues: Awaited<ReturnType<typeof themeValues>>
  wants: Awaited<ReturnType<typeof wantsOf>>
}

type ShownStandings = NonNullable<Awaited<ReturnType<typeof findShownStandings>>>

/** The rows pushed to a theme profile, by alias. */
type Pushed = Awaited<ReturnType<typeof pushedDataSources>>

/** The data that graphics of one overlay show. */
export type LiveData = ReturnType<typeof composed>

export type LiveDataCache = {
  /**
   * Synchronous when everything is held. Never older than the last change that `changed` was told of. `delayMs` is the
   * overlay's encoding delay, by which its clock is late.
   */
  live(overlayId: number, delayMs: number): MaybePromise<LiveData>
  /** A record or actor of the organization changed, by its ref (`team/5`). Left out, the organization follows from the ref. */
  changed(ref: string, organizationId?: number): void
  /** Overlays are about to be told of a change: the data of a match that somebody has looked at since the last one is read meanwhile. */
  readAhead(ref: string): void
  /** Whether changes that other nodes make are heard now; while they are not, nothing is held. Says so also when some were missed. */
  hear(heard: boolean): void
}

export type LiveDataParts = {
  sql: Sql
  catalog: Pick<Catalog, 'overlay' | 'brands' | 'forget'>
  notifications: Notifications
  log: Log
  /** Without a trailing slash. */
  publicUrl(): string
}

const MAX_MATCHES = 500
const MAX_TABLES = 100
const MAX_STYLES = 500
const MAX_PROFILES = 500

/** Kinds of records that sport data knows nothing of: a colour must not make every match be read anew. */
const DESIGN = new Set(
  'brand theme theme-style theme-profile data-source-template graphic control-room overlay-settings'.split(' '),
)

/**
 * The live data of matches that are looked at, read once for all their overlays. A change of a match drops that match, a
 * push the rows of that profile, a change of anything else all data of its organization: teams, rosters, venues
 * and officials change seldom.
 */
export async function createLiveData({
  sql,
  catalog,
  notifications,
  log,
  publicUrl,
}: LiveDataParts): Promise<LiveDataCache> {
  // apart from the matches: a goal must not make a season be added up anew
  const tables = createCache<number, ShownStandings>(MAX_TABLES, (id) => findShownStandings(sql, publicUrl(), id))
  const matches = createCache<number, FoundSportData>(MAX_MATCHES, (id) =>
    findSportData(sql, publicUrl(), id, (competitionId) => tables.get(competitionId)),
  )
  const styles = createCache<string, Style>(MAX_STYLES, (key) => {
    const { organizationId, themeId, profileId } = JSON.parse(key)
    return findStyle(sql, { organizationId, themeId, profileId }, log)
  })
  /** Matches that somebody has looked at since they were read ahead. */
  const looked = new Set<number>()
  const pushed = createCache<number, Pushed>(MAX_PROFILES, (profileId) => pushedDataSources(sql, profileId))
  // this process hears of its own commits at once, of those of others by their announcements
  const hear = (heard: boolean) => {
    matches.trust(heard)
    pushed.trust(heard)
  }
  hear(true)
  const trustNotified = (up: boolean) => {
    styles.trust(up)
    tables.trust(up)
  }
  trustNotified(notifications.isUp())
  notifications.onDown(() => trustNotified(false))
  notifications.onUp(() => {
    trustNotified(true)
    // their tables may have changed unheard
    matches.forget(() => true)
  })
  const forgetTable = (competitionId: number) => {
    tables.forget(
      (id) => id === competitionId,
      (id) => id === competitionId,
    )
    matches.forget((_, found) => found.data.competition.id === competitionId)
  }
  // a result came, changed or went, by whichever node
  await notifications.listen('standings', (payload) => forgetTable(JSON.parse(payload).competition))
  await notifications.listen('catalog', (payload) => {
    const changed = JSON.parse(payload)
    if ('style' in changed) {
      const isIt = (key: string) => JSON.parse(key).profileId === changed.style
      styles.forget(isIt, isIt)
    }
    if (!('theme' in changed)) return
    styles.forget(() => true)
    // a template that is gone takes along the rows pushed into it, also where no overlay shows it now
    pushed.forget(() => true)
  })

  const ofCard = (card: OverlayCard | undefined, delayMs: number): MaybePromise<LiveData> => {
    if (!card) return composed({ delayMs })
    // all are asked before any is waited for
    const style = styles.get(styleKey(card))
    const match = matches.get(card.matchId)
    looked.add(card.matchId)
    const sources = card.profileId === null ? undefined : pushed.get(card.profileId)
    const brands = catalog.brands(card.organizationId)
    // a failed read must not leave rejections of the others unhandled
    if (style instanceof Promise || match instanceof Promise || sources instanceof Promise || brands instanceof Promise)
      return Promise.all([style, match, sources, brands]).then(([worn, found, held, known]) =>
        composed({ style: worn, found, pushed: held, brands: shownBrands(known, publicUrl()), delayMs }),
      )
    return composed({ style, found: match, pushed: sources, brands: shownBrands(brands, publicUrl()), delayMs })
  }

  return {
    hear,
    live: (overlayId, delayMs) => whenKnown(catalog.overlay(overlayId), (card) => ofCard(card, delayMs)),
    readAhead(ref) {
      const [kind, id] = ref.split('/')
      if ((kind !== 'match' && kind !== 'statistics') || !looked.delete(Number(id))) return
      // matches of seasons past
      if (looked.size > MAX_MATCHES) looked.clear()
      // whoever asks for it hears of a failure
      Promise.resolve(matches.get(Number(id))).catch(() => undefined)
    },
    changed(ref, organizationId) {
      const [kind, id] = ref.split('/')
      const isIt = (one: number) => one === Number(id)
      if (kind === 'match' || kind === 'statistics') matches.forget(isIt, isIt)
      else if (kind === 'standings') forgetTable(Number(id))
      else if (kind === 'data-source') pushed.forget(isIt, isIt)
      else if (kind === 'brand' && organizationId !== undefined) catalog.forget({ brands: organizationId })
      else if (organizationId !== undefined) {
        if (!DESIGN.has(kind ?? '')) {
          tables.forget((_, found) => found.organizationId === organizationId)
          matches.forget((_, found) => found.organizationId === organizationId)
        }
        styles.forget((_, style) => style.organizationId === organizationId)
      }
    },
  }
}

/** As the cache answers, read anew. */
export async function liveData(sql: Sql, publicUrl: string, overlayId: number): Promise<LiveData> {
  const card = await findOverlayCard(sql, overlayId)
  if (!card) return composed({ delayMs: 0 })
  const [style, found, pushed, brands] = await Promise.all([
    findStyle(sql, card),
    findSportData(sql, publicUrl, card.matchId),
    card.profileId === null ? undefined : pushedDataSources(sql, card.profileId),
    findBrands(sql, card.organizationId),
  ])
  return composed({ style, found, pushed, brands: shownBrands(brands, publicUrl), delayMs: 0 })
}

type Wearer = Pick<OverlayCard, 'organizationId' | 'themeId' | 'profileId'>

const styleKey = ({ organizationId, themeId, profileId }: Wearer) =>
  JSON.stringify({ organizationId, themeId, profileId })

async function findStyle(sql: Sql, { organizationId, themeId, profileId }: Wearer, log?: Log): Promise<Style> {
  const [values, wants] = await Promise.all([themeValues(sql, themeId, profileId), wantsOf(sql, themeId, log)])
  return { organizationId, themeValues: values, wants }
}

const NO_VALUES: Style['themeValues'] = {}

type Parts = {
  style?: Style | undefined
  found?: FoundSportData | undefined
  pushed?: Pushed | undefined
  brands?: ShownBrands
  delayMs: number
}

function composed({ style, found, pushed, brands, delayMs }: Parts) {
  const data = found && withPushed(atDelay(found.data, delayMs), pushed)
  return {
    themeVariables: style?.themeValues ?? NO_VALUES,
    data,
    revisions: found ? { [`match/${found.data.match.id}`]: found.revision } : {},
    ...(data && style && asked(style, data, brands)),
  }
}

type GraphicData = SportData & { dataSources?: Pushed }

const whole = new WeakMap<SportData, WeakMap<Pushed, GraphicData>>()

/** Sport data with pushed rows beside it: the same object for the same two, since texts made of it are kept by object. */
function withPushed(data: SportData, pushed: Pushed | undefined): GraphicData {
  if (!pushed || Object.keys(pushed).length === 0) return data
  const known = whole.get(data) ?? new WeakMap<Pushed, GraphicData>()
  whole.set(data, known)
  const made = known.get(pushed) ?? { ...data, dataSources: pushed }
  known.set(pushed, made)
  return made
}

/** The parts of the data that graphics in this style are given. */
export const asked = (
  { wants, themeValues }: Pick<Style, 'wants' | 'themeValues'>,
  data: GraphicData,
  brands: ShownBrands = NO_BRANDS,
) => ({
  schemas: (graphic: Shown) => wants(graphic)?.schemas,
  selected: (graphic: Shown) => {
    const records = wants(graphic)?.records ?? []
    return records.length > 0 ? selectedRecords(graphic.values, records, { ...data, brands }) : undefined
  },
  names: (graphic: Shown) => recordNames(graphic.values, wants(graphic)?.records ?? [], { ...data, brands }),
  defaults: (graphic: Shown) => wants(graphic)?.defaults,
  computed: (graphic: Shown) => wants(graphic)?.expressions?.values(graphic.values, data, themeValues, brands),
})
