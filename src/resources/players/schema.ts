import { z } from 'zod'
import { Id, PersonNameFilter } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'

/** spec: Player list item */
export const Player = z
  .object({ id: Id, firstName: z.string(), lastName: z.string(), dataProvider: Provider.optional() })
  .meta({ id: 'Player' })

export const PlayerList = paged('players', Player).meta({ id: 'PlayerList' })
export const PlayerParams = z.object({ playerId: Id }).meta({ id: 'PlayerParams' })
/** spec: Players 8 */
export const PlayerFilter = withProviderFilters(
  z.object({ name: PersonNameFilter, ...providerFilters, ...paging }),
).meta({
  id: 'PlayerFilter',
})
