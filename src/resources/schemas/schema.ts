import { z } from 'zod'
import { SportKey } from '../../schema/sport.ts'
import { ControlVariableType } from '../code-graphics/schema.ts'

export const SportParams = z.object({ sport: SportKey }).meta({ id: 'SportParams' })

/** A JSON Schema is a document of its own standard; here it only has to be one. */
export const JsonSchema = z
  .looseObject({
    $schema: z.literal('https://json-schema.org/draft/2020-12/schema'),
    title: z.string(),
    description: z.string(),
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'JsonSchema', description: 'JSON Schema, draft 2020-12' })

export const SportSchemaList = z
  .object({
    sports: z.array(
      z
        .object({
          sport: SportKey,
          parts: z.array(z.string()).meta({ description: 'What `selectedSchemas` of a graphic may name' }),
          url: z.string().meta({ description: 'Where its schema is' }),
        })
        .meta({ id: 'SportSchemaItem' }),
    ),
  })
  .meta({ id: 'SportSchemaList' })

const Described = z.record(z.string(), z.unknown())

/** spec: ControlVariable */
export const ControlVariableSchemas = z
  .object({
    types: z.array(
      z
        .object({
          type: ControlVariableType,
          schema: Described.meta({ description: 'JSON Schema of a value; null clears the variable to its default' }),
          selected: Described.optional().meta({
            description:
              'JSON Schema of `data.selected.<variable>`, for types whose values name something of the match',
          }),
        })
        .meta({ id: 'ControlVariableSchema' }),
    ),
  })
  .meta({ id: 'ControlVariableSchemas' })

export const SportChoice = z
  .object({ sport: SportKey.optional().meta({ description: 'Records as they are in this sport; else in any' }) })
  .meta({ id: 'SportChoice' })
