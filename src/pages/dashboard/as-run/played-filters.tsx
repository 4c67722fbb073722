import type { ReactNode } from 'react'
import { FilterMoment, FilterSelect } from '../filter-fields.tsx'
import type { Filters } from '../use-filters.ts'

export const AD_TYPES = [
  ['brands', 'Brands'],
  ['noBrands', 'No brands'],
  ['free', 'Free'],
] as const

type Graphic = { graphicId: string | null; graphicName: string | null }

type Props = {
  filters: Filters
  graphics: readonly Graphic[]
  /** Fields before that of the graphic, behind it, and behind all. */
  before?: ReactNode
  children: ReactNode
  after?: ReactNode
}

/** The filters that the log and the proof of play share, with the fields of their own between. */
export function PlayedFilters({ filters, graphics, before, children, after }: Props) {
  const named = new Map(graphics.flatMap(({ graphicId, graphicName }) => (graphicId ? [[graphicId, graphicName]] : [])))
  return (
    <div className="filters">
      {before}
      <FilterSelect
        filters={filters}
        name="graphicId"
        label="Graphic"
        all="Every graphic"
        options={[...named].map(([id, name]) => [id, name || 'Deleted graphic'])}
      />
      {children}
      <FilterSelect filters={filters} name="adType" label="Advertising" all="Any" options={AD_TYPES} />
      <FilterMoment filters={filters} name="from" label="From" />
      <FilterMoment filters={filters} name="to" label="Until" />
      {after}
    </div>
  )
}
