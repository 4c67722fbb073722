import type { LoadGraphic } from '../overlay/protocol.ts'

/** A sponsor slot stands for a brand of it. */
export type Value = string | number | boolean | { slot: string }
export type Version = number | 'working'

export type Scenario = { id: string; name: string; sport: string; situation: string; description: string }

export type ThemeVariable = {
  name: string
  type: string
  enumOptions: string[] | null
  description: string | null
  isStyle: boolean
  value: string | null
}

export type Info = {
  graphic: { name: string; sports: string[] }
  expiresAt: string
  versions: { version: Version; number: number; empty: boolean }[]
  scenarios: Scenario[]
  /** The match that the preview was made for. */
  match?: { name: string; sport: string }
  themeVariables: ThemeVariable[]
  settings: {
    version: Version
    /** Left out, the match is shown. */
    scenarioId?: string
    variableValues: Record<string, Value | null>
    themeVariableValues: Record<string, string>
  }
}

export type Variable = {
  name: string
  type: string
  options?: string[]
  defaultValue?: Value | null
  description?: string
}

export type Choice = { value: string | number | { slot: string }; label: string; group?: string }

export type Frame = {
  frame: { type: 'LOAD_GRAPHIC'; payload: LoadGraphic }
  variables: Variable[]
  choices: Record<string, Choice[]>
  /** Names of values that this version does not take. */
  leftOut: string[]
}

export type Asked = {
  version: Version
  /** Left out, the match that the preview was made for is shown. */
  scenarioId?: string
  /** A moment of the match before that of the scenario, or before now, ISO 8601. */
  at?: string
  variableValues: Record<string, Value>
  themeVariableValues: Record<string, string>
}

/** The preview is over: unknown, expired, or its graphic is gone. */
export class Gone extends Error {}

const base = location.pathname.replace(/\/+$/, '')

/** Throws Gone, or an Error with the server's reason. */
async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${base}/${path}`, { cache: 'no-store', ...init })
  if (response.status === 404) throw new Gone()
  const body = await response.json()
  if (response.ok) return body
  const [detail] = Object.values<{ message?: string }>(body.details ?? {})
  throw new Error(detail?.message ?? body.message ?? `The server answers ${response.status}`)
}

export const readInfo = () => ask<Info>('info')

export const readFrame = (asked: Asked) =>
  ask<Frame>('frame', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(asked),
  })
