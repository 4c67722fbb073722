import { z } from 'zod'
import { madeWith } from '../../schema/batch.ts'
import { MOST } from '../../schema/batch-sizes.ts'
import { Id, text } from '../../schema/fields.ts'
import { paged } from '../../schema/paging.ts'

const personName = text(1, 35)
/** Where a player plays, or the kind of it. */
export const Placement = text(1, 255)
const gfxShown = text(1, 19).nullable()
/** Kept as text, since `07` is not 7. */
export const ShirtNumber = text(0, 3)

const isWebUrl = (value: string) => /^https?:\/\//i.test(value) && URL.canParse(value)
const PhotoUrl = text(1, 2048).refine(isWebUrl, { error: 'not an http or https URL' })

/** spec: Roster player */
export const RosterPlayer = z
  .object({
    id: Id,
    firstName: personName,
    lastName: personName,
    gfxFirstName: gfxShown,
    gfxLastName: gfxShown,
    position: z.string().nullable(),
    positionType: z.string().nullable(),
    number: ShirtNumber.nullable(),
    starter: z.boolean(),
    bench: z.boolean(),
    captain: z.boolean(),
    photoUrl: z.string().nullable().optional(),
  })
  .meta({ id: 'RosterPlayer' })

export const RosterPlayerList = paged('players', RosterPlayer).meta({ id: 'RosterPlayerList' })

/** The entry of a player on one team. Null takes a value away; a write allows shorter graphics names than a read shows. */
const entry = {
  number: ShirtNumber.nullable().optional(),
  position: Placement.nullable().optional(),
  positionType: Placement.nullable().optional(),
  gfxFirstName: text(1, 16).nullable().optional(),
  gfxLastName: text(1, 16).nullable().optional(),
  defaultStarter: z.boolean().optional(),
  defaultBench: z.boolean().optional(),
  captain: z.boolean().optional(),
  photoUrl: PhotoUrl.nullable().optional(),
}

/** spec: Teams 6, with the captaincy that Teams 5 sets. */
export const RosterPlayerCreation = z
  .object({ firstName: personName, lastName: personName, ...entry })
  .meta({ id: 'RosterPlayerCreation' })

/** spec: Teams 5. Fields left out keep their value. */
export const RosterPlayerUpdate = z
  .object({ firstName: personName.optional(), lastName: personName.optional(), ...entry })
  .meta({ id: 'RosterPlayerUpdate' })

const BatchItem = madeWith(
  z.object({
    id: Id.optional().meta({ description: 'A player of the roster; left out, a player is made' }),
    firstName: personName.optional(),
    lastName: personName.optional(),
    ...entry,
  }),
  'firstName',
  'lastName',
).meta({ id: 'RosterBatchPlayer', description: 'Fields left out keep their value, or are unset for a new player' })

/** Players who are made or changed together: all of them or none. */
export const RosterBatch = z.object({ players: z.array(BatchItem).min(1).max(MOST) }).meta({ id: 'RosterBatch' })
export const RosterBatchResult = z.object({ players: z.array(RosterPlayer) }).meta({ id: 'RosterBatchResult' })

/** All that the team says about the player; fields left out are unset. */
export const RosterEntry = z.object(entry).meta({ id: 'RosterEntry' })

export const RosterParams = z.object({ teamId: Id }).meta({ id: 'RosterParams' })
export const RosterPlayerParams = z.object({ teamId: Id, playerId: Id }).meta({ id: 'RosterPlayerParams' })
