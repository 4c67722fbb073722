import type { Sql } from 'postgres'
import type { CustomAction } from '../../../machines/overlay/events.ts'
import { kindOf, type OnAir } from '../../../machines/overlay/model.ts'
import { findBrandsOfMatch } from '../../catalog/queries.ts'
import type { Log } from '../../expressions/expression-set.ts'
import { type ShownBrands, shownBrands } from '../brands/shown.ts'
import { pushedDataSources } from '../data-sources/queries.ts'
import { graphicData } from '../matches/graphic-data.ts'
import { wantsOf } from '../matches/graphic-wants.ts'
import { asked } from '../matches/live-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import { themeValues } from '../matches/theme-values.ts'
import { difference } from './patch.ts'
import type { Patch, ReplayStep } from './schema.ts'

type Change = ReplayStep['changes'][number]
type Pushed = Awaited<ReturnType<typeof pushedDataSources>>
type Style = { wants: Awaited<ReturnType<typeof wantsOf>>; themeValues: Awaited<ReturnType<typeof themeValues>> }

type Of = { themeIds: readonly number[]; profileId: number | null; matchId: number; publicUrl: string; log: Log }

/** The data that graphics of a replay are given beside their values: themes as they are now, and the parts they ask for. */
export class Dresser {
  readonly #styles: ReadonlyMap<number, Style>
  readonly #dataSources: Pushed
  readonly #brands: ShownBrands
  /** The data that each graphic was given last, by graphicId. */
  readonly #given = new Map<string, unknown>()
  #data: (SportData & { dataSources?: Pushed }) | undefined

  private constructor(styles: ReadonlyMap<number, Style>, dataSources: Pushed, brands: ShownBrands) {
    this.#styles = styles
    this.#dataSources = dataSources
    this.#brands = brands
  }

  static async of(sql: Sql, { themeIds, profileId, matchId, publicUrl, log }: Of): Promise<Dresser> {
    const styles = new Map<number, Style>()
    for (const themeId of new Set(themeIds)) {
      const [wants, values] = await Promise.all([wantsOf(sql, themeId, log), themeValues(sql, themeId, profileId)])
      styles.set(themeId, { wants, themeValues: values })
    }
    const [pushed, brands] = await Promise.all([
      profileId === null ? {} : pushedDataSources(sql, profileId),
      findBrandsOfMatch(sql, matchId),
    ])
    return new Dresser(styles, pushed, shownBrands(brands, publicUrl))
  }

  nameOfBrand(brandId: number): string | undefined {
    return this.#brands.find(({ id }) => id === brandId)?.name
  }

  /** The data from now on. */
  set data(data: SportData) {
    this.#data = Object.keys(this.#dataSources).length > 0 ? { ...data, dataSources: this.#dataSources } : data
  }

  load(graphic: OnAir, sport: string): Change {
    const { graphicId, graphicName, version, url, presetId, values } = graphic
    return {
      action: 'load',
      graphicId,
      graphicName,
      kind: kindOf(graphic),
      version,
      url,
      presetId,
      sport,
      variableValues: values,
      ...stepOf(graphic),
      themeVariables: { ...this.#style(graphic).themeValues },
      data: this.#patch(graphic),
    }
  }

  update(graphic: OnAir, customAction?: CustomAction): Change {
    const { graphicId, presetId, values } = graphic
    return {
      action: 'update',
      graphicId,
      presetId,
      variableValues: values,
      ...stepOf(graphic),
      ...(customAction && { customAction }),
      data: this.#patch(graphic),
    }
  }

  /** Undefined when nothing of the data changed for it. */
  refresh(graphic: OnAir): Change | undefined {
    const data = this.#patch(graphic)
    return data ? { action: 'update', graphicId: graphic.graphicId, data } : undefined
  }

  #patch(graphic: OnAir): Patch | null {
    if (!this.#data) return null
    const data = graphicData(graphic, this.#data, asked(this.#style(graphic), this.#data, this.#brands))
    const patch = difference(this.#given.get(graphic.graphicId), data)
    this.#given.set(graphic.graphicId, data)
    return patch ?? null
  }

  #style({ themeId }: OnAir): Style {
    return this.#styles.get(themeId) ?? { wants: () => undefined, themeValues: {} }
  }
}

/** Where an OGraf graphic stands. */
const stepOf = ({ ograf }: OnAir) => (ograf ? { step: ograf.step } : {})
