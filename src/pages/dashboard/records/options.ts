import { SPORTS } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import type { FieldDef } from './fields.ts'

type Options = NonNullable<FieldDef['options']>

const NOTHING = ['', '–'] as const

/** What a select offers of records of the API. */
export const offered = (records: readonly { id: number; name: string }[] | undefined): Options => [
  NOTHING,
  ...(records ?? []).map(({ id, name }) => [String(id), name] as const),
]

export const SPORT_OPTIONS: Options = Object.keys(SPORTS).map((sport) => [sport, worded(sport)] as const)

export const AGES = ['Adults', ...Array.from({ length: 17 }, (_, index) => `U${index + 7}`), 'Senior', 'Unknown']
export const AGE_OPTIONS: Options = AGES.map((age) => [age, age] as const)
export const GENDERS = ['Male', 'Female', 'Mixed', 'Unknown']
export const GENDER_OPTIONS: Options = GENDERS.map((gender) => [gender, gender] as const)
