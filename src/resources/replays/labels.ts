import type { MatchCreated } from '../../../machines/match.ts'
import type { MatchEvent } from '../../../machines/match-model.ts'
import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { OnAir } from '../../../machines/overlay/model.ts'
import { factLabel } from '../matches/record-names.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import { brandOf } from '../overlays/brand.ts'

/** The name of a brand by its id. */
type BrandNames = (brandId: number) => string | undefined

/** A command of an overlay in a few words: the graphics that it is about. */
export function labelOfCommand(action: string, events: readonly OverlayEvent[], brands: BrandNames): string {
  const hidden = events.flatMap((event) => (event.type === 'graphic.hidden' ? [event.graphicName] : []))
  const shown = events.flatMap((event) => ('graphic' in event ? [nameOf(event.graphic, brands)] : []))
  const names = (shown.length > 0 ? shown : hidden).join(', ')
  return action === 'hideAll' ? `All off: ${names}` : names
}

/** With the brands that it shows. */
function nameOf({ graphicName, values, ads = {} }: OnAir, nameOfBrand: BrandNames): string {
  const records = Object.keys(ads).flatMap((name) => nameOfBrand(Number(values[name])) ?? [])
  const shown = records.length > 0 ? records.join(', ') : brandOf(values)
  return shown === null ? graphicName : `${graphicName}: ${shown}`
}

/** `periodEnd` as people write it: `Period end`. */
function words(type: string): string {
  const text = type.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The events of a match in a few words. */
export function labelOfMatch(events: readonly (MatchEvent | MatchCreated)[], data: SportData): string {
  const labels = events.map((event) => {
    switch (event.type) {
      case 'match.created':
        return 'Match created'
      case 'match.fact.erased':
        return 'Fact taken back'
      case 'match.updated':
        return `Match changed: ${data.match.state}`
      default: {
        const fact = data.facts.find(({ id }) => id === event.fact.id)
        const label = fact ? factLabel({ ...fact, type: words(fact.type) }, data) : words(event.fact.type)
        return event.type === 'match.fact.corrected' ? `Corrected: ${label}` : label
      }
    }
  })
  return labels.join(', ')
}
