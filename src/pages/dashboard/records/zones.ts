import { zones } from '../matches/new-venue-fields.tsx'
import type { FieldDef } from './fields.ts'

/** The time zones that a select offers. */
export const ZONE_OPTIONS: NonNullable<FieldDef['options']> = [
  ['', '–'],
  ...zones().map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
]
