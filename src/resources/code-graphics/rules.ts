import type { z } from 'zod'
import type { BundleUpload, CodeStateMachine, ControlVariable } from './schema.ts'

const MAX_FILES = 2000
const MAX_FILE_BYTES = 50 * 1024 * 1024
const SHA256 = /^[0-9a-f]{64}$/

/** The entry of a bundle when the state machine names none. */
export const entryOf = (stateMachine: z.output<typeof CodeStateMachine>) => stateMachine.runtime?.entry ?? 'index.html'

/** Every rule that a state machine breaks, as sentences. spec: Code graphic invalid */
export function brokenStateMachineRules(stateMachine: z.output<typeof CodeStateMachine>): string[] {
  const variables = stateMachine.controlVariables ?? []
  return [
    ...repeated(variables.map(({ name }) => name)).map((name) => `control variable ${name}: the name is used twice`),
    ...repeated(variables.map(({ id }) => id)).map((id) => `control variable id ${id} is used twice`),
    ...variables.flatMap((variable) =>
      brokenVariableRules(variable).map((rule) => `control variable ${variable.name}: ${rule}`),
    ),
  ]
}

function brokenVariableRules({ name, type, options, defaultValue }: z.output<typeof ControlVariable>): string[] {
  const rules: string[] = []
  if (name === '__proto__') rules.push('the name is reserved')
  if (type === 'enum' && !options?.length) rules.push('an enum needs options')
  if (defaultValue === undefined || defaultValue === null) return rules
  if (type === 'enum' && !options?.includes(String(defaultValue))) rules.push('the default is not one of the options')
  if ((type === 'string' || type === 'number' || type === 'boolean') && typeof defaultValue !== type)
    rules.push(`the default is not a ${type}`)
  return rules
}

/** Every rule that a file set breaks, as sentences. */
export function brokenFileRules(files: readonly z.output<typeof BundleUpload>[], entry: string): string[] {
  const names = files.map(({ name }) => name)
  return [
    ...(files.length > MAX_FILES ? [`a bundle holds at most ${MAX_FILES} files`] : []),
    ...repeated(names).map((name) => `${name}: the name is used twice`),
    ...files
      .filter(({ name }) => !isSafePath(name))
      .map(({ name }) => `${name}: not a relative path inside the bundle`),
    ...files
      .filter(({ size }) => size > MAX_FILE_BYTES)
      .map(({ name }) => `${name}: larger than ${MAX_FILE_BYTES} bytes`),
    ...files
      .filter(({ hash }) => !SHA256.test(hash))
      .map(({ name }) => `${name}: the hash is not a SHA-256 in lower-case hexadecimal`),
    ...(names.includes(entry) ? [] : [`${entry}: the entry is missing`]),
  ]
}

/** A path that means the same on every system and never leaves the bundle. */
export const isSafePath = (path: string) =>
  path.length <= 255 &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a path
  !/[\u0000-\u001f\u007f\\:*?"<>|#%]/.test(path) &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')

const repeated = (values: readonly string[]) => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]
