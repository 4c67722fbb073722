import type { SportKey } from '../../schema/sport.ts'
import type { Script } from './script.ts'
import { ausRules } from './sports/aus-rules.ts'
import { baseball } from './sports/baseball.ts'
import { basketball } from './sports/basketball.ts'
import { cricket } from './sports/cricket.ts'
import { fieldHockey } from './sports/field-hockey.ts'
import { football } from './sports/football.ts'
import { futsal } from './sports/futsal.ts'
import { gridiron } from './sports/gridiron.ts'
import { handBall } from './sports/hand-ball.ts'
import { iceHockey } from './sports/ice-hockey.ts'
import { lacrosse } from './sports/lacrosse.ts'
import { netball } from './sports/netball.ts'
import { rugbyLeague } from './sports/rugby-league.ts'
import { rugbySevens } from './sports/rugby-sevens.ts'
import { rugbyUnion } from './sports/rugby-union.ts'
import { tennis } from './sports/tennis.ts'
import { touchFootball } from './sports/touch-football.ts'
import { volleyball } from './sports/volleyball.ts'
import { waterPolo } from './sports/water-polo.ts'

/** The scenarios of every sport. */
export const SCRIPTS: Readonly<Record<SportKey, Script>> = {
  football,
  rugbyUnion,
  rugbyLeague,
  netball,
  cricket,
  futsal,
  iceHockey,
  fieldHockey,
  waterPolo,
  handBall,
  lacrosse,
  touchFootball,
  ausRules,
  basketball,
  rugbySevens,
  gridiron,
  volleyball,
  baseball,
  tennis,
}
