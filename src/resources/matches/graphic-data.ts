import type { Shown } from '../../../machines/overlay/model.ts'
import { meansRows, PUSHED } from '../../schema/pushed-rows.ts'
import type { asked } from './live-data.ts'

/** `data` of a graphic as its frame carries it, as an object: the parts that its schemas choose, and those made for it alone. */
export function graphicData(
  graphic: Shown,
  data: object,
  { schemas, selected, defaults, computed }: ReturnType<typeof asked>,
): Record<string, unknown> {
  const chosen = schemas(graphic)
  const records = selected(graphic)
  const preset = defaults(graphic)
  return {
    ...(chosen ? sectionsOf(data, chosen) : data),
    ...(records && { selected: records }),
    ...computed(graphic),
    ...(preset && { defaults: preset }),
  }
}

function sectionsOf(data: object, chosen: readonly string[]): Record<string, unknown> {
  const named = Object.entries(data).filter(([name]) => chosen.includes(name) && !meansRows(name, data))
  const pushed = Object.entries(data).find(([name]) => name === PUSHED && !chosen.includes(name))?.[1]
  const sources = typeof pushed === 'object' && pushed !== null ? sectionsOf(pushed, chosen) : {}
  return { ...Object.fromEntries(named), ...(Object.keys(sources).length > 0 && { [PUSHED]: sources }) }
}
