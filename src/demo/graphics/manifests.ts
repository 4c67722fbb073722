import type { GraphicData } from './data.ts'

/** One control variable of a code graphic, as its `stateMachine.controlVariables` lists it. spec: Motion graphics state machine */
export type ControlVariable = {
  id: string
  name: string
  type: 'string' | 'number' | 'boolean' | 'enum'
  options?: string[]
  defaultValue: string | number | boolean | null
  description: string
}

export type GraphicManifest = {
  /** Folder of the built bundle below `dist/demo/graphics/`; its entry is `index.html`. */
  folder: string
  /** Name in the theme. */
  name: string
  sports: string[]
  /** The parts of `data` that it shows; frames carry no others. */
  selectedSchemas: (keyof GraphicData)[]
  controlVariables: ControlVariable[]
}

const variable = (
  name: string,
  type: ControlVariable['type'],
  defaultValue: ControlVariable['defaultValue'],
  description: string,
): ControlVariable => ({ id: name, name, type, defaultValue, description })

const choice = (name: string, options: string[], defaultValue: string, description: string): ControlVariable => ({
  id: name,
  name,
  type: 'enum',
  options,
  defaultValue,
  description,
})

const ABOUT = ['text', 'lastGoal', 'homeCoach', 'awayCoach']

/** The designed code graphics of the demo theme. A variable left null takes its value from the match. */
export const demoGraphics: readonly GraphicManifest[] = [
  {
    folder: 'score-bug',
    name: 'Score bug',
    sports: ['football'],
    selectedSchemas: ['match', 'teams', 'competitors'],
    controlVariables: [
      variable('homeScore', 'number', null, 'Home score; empty follows the match'),
      variable('awayScore', 'number', null, 'Away score; empty follows the match'),
      variable('clock', 'string', null, 'Clock text such as 45:00; empty follows the match clock'),
      variable('period', 'string', null, 'Period label; empty follows the match'),
      variable('addedTime', 'number', null, 'Minutes of added time as announced'),
      variable('showClock', 'boolean', true, 'Whether the clock is shown'),
    ],
  },
  {
    folder: 'lower-third',
    name: 'Lower third',
    sports: ['football'],
    selectedSchemas: ['match', 'teams', 'competitors', 'scoringFacts'],
    controlVariables: [
      choice('about', ABOUT, 'text', 'Whom it is about: somebody written, who scored last, or a coach'),
      variable('name', 'string', null, 'Name of the person; empty follows the match'),
      variable('title', 'string', null, 'Role, title or fact; empty follows the match'),
      choice('team', ['auto', 'home', 'away', 'neutral'], 'auto', 'Whose colours it wears; auto follows the match'),
    ],
  },
  {
    folder: 'line-up-card',
    name: 'Line-up card',
    sports: ['football'],
    selectedSchemas: ['match', 'teams', 'competitors', 'lineups'],
    controlVariables: [choice('team', ['home', 'away'], 'home', 'Whose line-up it shows')],
  },
  {
    folder: 'result-card',
    name: 'Result card',
    sports: ['football'],
    selectedSchemas: ['match', 'teams', 'competitors', 'facts'],
    controlVariables: [
      variable('headline', 'string', 'Full time', 'Label above the score'),
      variable('homeScore', 'number', null, 'Home score; empty follows the match'),
      variable('awayScore', 'number', null, 'Away score; empty follows the match'),
    ],
  },
  {
    folder: 'sponsor-card',
    name: 'Sponsor card',
    sports: ['football'],
    selectedSchemas: [],
    controlVariables: [
      variable('sponsor', 'string', null, 'Name of the partner'),
      variable('tagline', 'string', null, 'Line below the name; empty hides it'),
    ],
  },
]
