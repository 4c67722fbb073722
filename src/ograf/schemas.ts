import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/**
 * The JSON Schemas of OGraf 1.0 as published at https://ograf.ebu.io (MIT, see `schemas/LICENSE`): the npm package `ograf` has the
 * types that are made of them, but not them.
 */
const FILES = [
  'graphic',
  'action',
  'gdd-object',
  'gdd-types',
  'gdd-basic-types',
  'number',
  'boolean',
  'string',
] as const

const read = (name: string): { $id: string } =>
  JSON.parse(readFileSync(new URL(`./schemas/${name}.json`, import.meta.url), 'utf8'))

/** What `$schema` of a manifest must be. */
export const MANIFEST_SCHEMA = 'https://ograf.ebu.io/v1/specification/json-schemas/graphics/schema.json'

let manifest: ValidateFunction | undefined

/** The faults of a manifest by the published schema, unknown members among them. */
export function schemaFaults(value: unknown): readonly ErrorObject[] {
  if (!manifest) {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false })
    for (const name of FILES) ajv.addSchema(read(name))
    manifest = ajv.getSchema(MANIFEST_SCHEMA)
  }
  if (!manifest) throw new Error('the schema of OGraf manifests is not there')
  return manifest(value) ? [] : (manifest.errors ?? [])
}
