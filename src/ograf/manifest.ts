import type { ErrorObject } from 'ajv/dist/2020.js'
import type { GraphicsManifest } from 'ograf'
import { type Gdd, gddFault, isGdd } from './gdd.ts'
import { schemaFaults } from './schemas.ts'
import { variablesOf } from './variables.ts'

/** A manifest of OGraf 1.0, with the durations that one of a graphic without steps may tell. */
export type Manifest = GraphicsManifest & { actionDurations?: readonly ActionDuration[] }
/** How long an action takes, ms. */
type ActionDuration = { type: string; duration: number }

/** A fault of a manifest; `path` is a JSON pointer into it. */
export type Fault = { path: string; message: string }

const MEMBERS = new Set([
  '$schema',
  'id',
  'version',
  'name',
  'description',
  'author',
  'main',
  'customActions',
  'supportsRealTime',
  'supportsNonRealTime',
  'stepCount',
  'schema',
  'renderRequirements',
  'thumbnails',
  'actionDurations',
])
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_STEPS = 1_000
const MAX_VARIABLES = 200
/** Actions, thumbnails, requirements, and engines in one of these: each show looks at all of them, for every renderer. */
const MAX_LIST = 100
/** Choices, and required members, of one part of a schema: commands compare values with all of them. */
const MAX_LISTED = 1_000
const MAX_FAULTS = 100
const MAX_NAME = 255
/** Of an action, ms: what plays longer has steps. */
const MAX_DURATION_MS = 3_600_000

/**
 * The manifest when it is one, or every fault of it. Warnings are about what is left alone: members that the format does not know,
 * and defaults that the schema of their property refuses. integrations: OGraf import
 */
export function readManifest(value: unknown): { manifest?: Manifest; faults: Fault[]; warnings: string[] } {
  if (!isGdd(value)) return { faults: [{ path: '', message: 'a manifest is a JSON object' }], warnings: [] }
  const known = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => (MEMBERS.has(key) || key.startsWith('v_')) && key !== 'actionDurations')
      // a longer list is refused by its length: of many faults each costs as much as all before it
      .map(([key, of]) => [key, Array.isArray(of) ? of.slice(0, MAX_LIST) : of]),
  )
  const warnings = Object.keys(value)
    .filter((key) => !MEMBERS.has(key) && !key.startsWith('v_'))
    .map((key) => `/${key}: not a member of OGraf 1.0; one of a vendor begins with v_`)
  const first = new Map<string, Fault>()
  for (const error of schemaFaults(known)) {
    const path = pointerOf(error)
    if (error.keyword === 'additionalProperties') warnings.push(`${path}: not a member of OGraf 1.0`)
    else if (!['if', 'allOf', 'oneOf', 'anyOf'].includes(error.keyword) && !first.has(path))
      first.set(path, { path, message: sentenceOf(error) })
  }
  const faults = [...first.values(), ...ownFaults(value)]
  if (faults.length > 0) return { faults: faults.slice(0, MAX_FAULTS), warnings }
  const manifest = value as unknown as Manifest
  return { manifest, faults, warnings: [...warnings, ...defaultWarnings(manifest)] }
}

const pointerOf = ({ instancePath, params, keyword }: ErrorObject) => {
  const member: unknown =
    params.missingProperty ?? (keyword === 'additionalProperties' ? params.additionalProperty : undefined)
  return typeof member === 'string'
    ? `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath
}

function sentenceOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'type') return `expected ${[params.type].flat().join(' or ')}`
  if (keyword === 'const') return `expected ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'enum') return `expected one of ${params.allowedValues.map(String).join(', ')}`
  return message ?? keyword
}

/** What the published schema leaves open. */
function ownFaults(value: Gdd): Fault[] {
  const faults: Fault[] = []
  const refuse = (path: string, message: string) => faults.push({ path, message })
  const { id, name, stepCount, schema, customActions, actionDurations, thumbnails, renderRequirements } = value
  if (typeof id === 'string' && (id === '' || id.includes('/') || id.length > MAX_NAME || /\p{Cc}|\p{Cs}/u.test(id)))
    refuse('/id', `1 to ${MAX_NAME} characters without / and without control characters`)
  if (typeof name === 'string' && (name.trim() === '' || [...name].length > MAX_NAME || /\p{Cc}|\p{Cs}/u.test(name)))
    refuse('/name', `1 to ${MAX_NAME} characters without control characters`)
  if (typeof stepCount === 'number' && (!Number.isInteger(stepCount) || stepCount > MAX_STEPS))
    refuse('/stepCount', `a whole number, at most ${MAX_STEPS}`)
  if (isGdd(schema)) {
    if (schema.type !== undefined && schema.type !== 'object') refuse('/schema/type', 'expected object: data is one')
    const names = Object.keys(isGdd(schema.properties) ? schema.properties : {})
    if (names.length > MAX_VARIABLES) refuse('/schema/properties', `at most ${MAX_VARIABLES} properties`)
    for (const one of names)
      if (one === '' || [...one].length > MAX_NAME || RESERVED.has(one))
        refuse(`/schema/properties/${one}`, 'no property may have this name')
    faults.push(...longLists(schema, '/schema'))
    // they go into every frame, as values that somebody sets do
    for (const { name: variable, defaultValue } of variablesOf(schema)) {
      const large = defaultValue === undefined ? undefined : gddFault({}, defaultValue)
      if (large !== undefined) refuse(`/schema/properties/${variable}/default`, large)
    }
  }
  if (Array.isArray(customActions)) {
    if (customActions.length > MAX_LIST) refuse('/customActions', `at most ${MAX_LIST} actions`)
    const ids = new Set<unknown>()
    for (const [index, action] of customActions.entries()) {
      const of: unknown = isGdd(action) ? action.id : undefined
      if (of === '') refuse(`/customActions/${index}/id`, 'must not be empty')
      if (ids.has(of)) refuse(`/customActions/${index}/id`, `the id ${String(of)} is there twice`)
      ids.add(of)
      if (isGdd(action)) faults.push(...longLists(action.schema, `/customActions/${index}/schema`))
    }
  }
  if (Array.isArray(thumbnails) && thumbnails.length > MAX_LIST) refuse('/thumbnails', `at most ${MAX_LIST} thumbnails`)
  if (Array.isArray(renderRequirements)) {
    if (renderRequirements.length > MAX_LIST) refuse('/renderRequirements', `at most ${MAX_LIST} requirements`)
    for (const [index, one] of renderRequirements.entries())
      if (isGdd(one) && Array.isArray(one.engine) && one.engine.length > MAX_LIST)
        refuse(`/renderRequirements/${index}/engine`, `at most ${MAX_LIST} engines`)
  }
  if (actionDurations !== undefined && !isDurations(actionDurations))
    refuse('/actionDurations', `expected a list of {type, duration}, in ms up to ${MAX_DURATION_MS}`)
  return faults
}

/** Where the parts that values are held against list too much. */
function longLists(schema: unknown, path: string): Fault[] {
  if (!isGdd(schema)) return []
  const { properties, items } = schema
  return [
    ...(['enum', 'required'] as const).flatMap((member) => {
      const list = schema[member]
      return Array.isArray(list) && list.length > MAX_LISTED
        ? [{ path: `${path}/${member}`, message: `at most ${MAX_LISTED} are taken` }]
        : []
    }),
    ...Object.entries(isGdd(properties) ? properties : {}).flatMap(([name, one]) =>
      longLists(one, `${path}/properties/${name}`),
    ),
    ...longLists(items, `${path}/items`),
  ]
}

const isDurations = (value: unknown): value is readonly ActionDuration[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      isGdd(one) &&
      typeof one.type === 'string' &&
      typeof one.duration === 'number' &&
      one.duration >= 0 &&
      one.duration <= MAX_DURATION_MS,
  )

function defaultWarnings({ schema }: Manifest): string[] {
  return variablesOf(schema).flatMap((variable) => {
    if (variable.defaultValue === undefined) return []
    const wrong = gddFault(variable.schema, variable.defaultValue)
    return wrong === undefined ? [] : [`/schema/properties/${variable.name}/default: ${wrong}`]
  })
}

/** One step when the manifest says nothing. */
export const stepCountOf = ({ stepCount = 1 }: Pick<Manifest, 'stepCount'>): number => stepCount

/** How long a graphic without steps plays when no renderer says that it has played, ms. */
export function playsForMs({ actionDurations }: Manifest): number {
  const plays = (actionDurations ?? []).filter(({ type }) => type === 'playAction').map(({ duration }) => duration)
  return plays.length > 0 ? Math.max(...plays) : 10_000
}
