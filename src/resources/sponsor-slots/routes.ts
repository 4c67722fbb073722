import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { ProfileParams } from '../themes/profiles.schema.ts'
import { replaceSponsorSlots } from './commands.ts'
import { getSponsorSlots } from './queries.ts'
import { SponsorSlots, SponsorSlotsReplacement } from './schema.ts'

const SLOTS = '/v2/competitions/{competitionId}/theme-profiles/{profileId}/sponsor-slots'

export const sponsorSlotRoutes: Route[] = [
  route({
    method: 'get',
    path: SLOTS,
    beta: true,
    summary: 'Read the sponsor slots of a theme profile',
    params: ProfileParams,
    response: SponsorSlots,
    handle: (ctx, { params }) => getSponsorSlots(ctx, params),
  }),
  route({
    method: 'put',
    path: SLOTS,
    beta: true,
    summary: 'Replace the sponsor slots of a theme profile',
    params: ProfileParams,
    body: SponsorSlotsReplacement,
    response: SponsorSlots,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceSponsorSlots(ctx, params, body),
  }),
]
