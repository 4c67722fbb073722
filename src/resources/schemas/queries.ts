import { z } from 'zod'
import { SPORTS, type SportKey } from '../../schema/sport.ts'
import { ControlVariableType } from '../code-graphics/schema.ts'
import { valueSchema } from '../control-variables.ts'
import { selectedSchemas } from '../matches/selected-records.schema.ts'
import { sportDataSchema } from '../matches/sport-data.schema.ts'
import { ControlVariableSchemas, JsonSchema, type SportSchemaList } from './schema.ts'

const Selected = z.record(z.string(), z.record(z.string(), z.unknown())).meta({
  title: 'Selected',
  description:
    'By the name of a control variable of an entity type, what its value names: a team, player, match, fact, period or set of the ' +
    'parts above; `{name}` for a round or court; `{name, home, away, players}` for a statistic. What the match does not have is absent. ' +
    'GET /v2/schemas/control-variables describes them by type.',
})

const Expressions = z.record(z.string(), z.unknown()).meta({
  title: 'Expressions',
  description:
    'By the name of a user expression of the graphic, its value; null when it fails. Absent when the graphic has none.',
})

const Defaults = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
  title: 'Defaults',
  description:
    'By the name of a control variable of the graphic, its default value, in force while `variableValues` has none. The overlay page ' +
    'gives graphics both in `variableValues`. Absent when the graphic has no defaults.',
})

const DataSources = z.record(z.string(), z.unknown()).meta({
  title: 'DataSources',
  description:
    'By alias what was pushed to the theme profile of the overlay: a list of objects, an object, or a value, by the shape of its ' +
    'template. `selectedSchemas` names aliases beside parts; an alias without a push is absent, and so is this without any.',
})

const made = new Map<SportKey, z.output<typeof JsonSchema>>()

/** The JSON Schema of `data` in LOAD_GRAPHIC and GRAPHIC_UPDATE of this sport. */
export function sportSchema(sport: SportKey): z.output<typeof JsonSchema> {
  const known = made.get(sport)
  if (known) return known
  const parts = sportDataSchema(sport).partial().extend({
    selected: Selected.optional(),
    expressions: Expressions.optional(),
    defaults: Defaults.optional(),
    dataSources: DataSources.optional(),
  })
  const found = JsonSchema.parse({ ...printed(parts), title: `Data of ${sport}`, description: DESCRIPTION })
  made.set(sport, found)
  return found
}

const printed = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      // later versions may add members: a graphic must not refuse members that it does not know
      if (zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.id
    },
  })

const DESCRIPTION = `What a graphic of this sport is given as \`data\` in LOAD_GRAPHIC and GRAPHIC_UPDATE. Each member is a part that \
\`selectedSchemas\` of the graphic may name; without \`selectedSchemas\` it is given all of them. A part that is given is whole. \
\`selected\` has a member for each control variable that names something of the match.`

/** Every sport with the names of its parts. */
export function listSportSchemas(publicUrl: string): z.output<typeof SportSchemaList> {
  return {
    sports: SPORTS.map((sport) => ({
      sport,
      parts: Object.keys(sportDataSchema(sport).shape),
      url: `${publicUrl}/rest/v2/schemas/sports/${sport}`,
    })),
  }
}

const variableTypes = new Map<SportKey | undefined, z.output<typeof ControlVariableSchemas>>()

/** The schema of a value of each type of control variable, and of its member of `data.selected`; of one sport, else of any. */
export function controlVariableSchemas(sport?: SportKey): z.output<typeof ControlVariableSchemas> {
  const known = variableTypes.get(sport)
  if (known) return known
  const records: Readonly<Record<string, z.ZodType>> = selectedSchemas(sport)
  const types = ControlVariableType.options.map((type) => {
    const record = records[type]
    return { type, schema: printed(valueSchema(type)), ...(record && { selected: printed(record) }) }
  })
  const found = ControlVariableSchemas.parse({ types })
  variableTypes.set(sport, found)
  return found
}
