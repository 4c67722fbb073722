import { z } from 'zod'

/** spec: Enumerations */
export const SPORTS = [
  'football',
  'rugbyUnion',
  'rugbyLeague',
  'netball',
  'cricket',
  'futsal',
  'iceHockey',
  'fieldHockey',
  'waterPolo',
  'handBall',
  'lacrosse',
  'touchFootball',
  'ausRules',
  'basketball',
  'rugbySevens',
  'gridiron',
  'volleyball',
  'baseball',
  'tennis',
] as const

/** spec: Enumerations */
export const SportKey = z.enum(SPORTS).meta({ id: 'SportKey' })
export type SportKey = z.output<typeof SportKey>

/** spec: Enumerations */
export const Age = z
  .enum([
    'Adults',
    'U7',
    'U8',
    'U9',
    'U10',
    'U11',
    'U12',
    'U13',
    'U14',
    'U15',
    'U16',
    'U17',
    'U18',
    'U19',
    'U20',
    'U21',
    'U22',
    'U23',
    'Senior',
    'Unknown',
  ])
  .meta({ id: 'Age' })
export type Age = z.output<typeof Age>

/** spec: Enumerations */
export const Gender = z.enum(['Male', 'Female', 'Mixed', 'Unknown']).meta({ id: 'Gender' })
export type Gender = z.output<typeof Gender>
