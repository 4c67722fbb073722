import { z } from 'zod'
import { changelog } from '../../src/changelog.ts'
import { Matcher } from '../../src/http/matcher.ts'
import { openapi } from '../../src/http/openapi.ts'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { routes } from '../../src/resources/index.ts'
import {
  AuthenticationError,
  AuthorizationError,
  CodeGraphicInvalidError,
  InUseError,
  LockedError,
  MotionError,
  NoStillError,
  NotAutomaticError,
  NothingToUndoError,
  OnAirError,
  PlainError,
  RundownAtEndError,
  RundownMovedError,
  TargetChangedError,
  ValidationError,
} from '../../src/schema/errors.ts'
import { Description } from './description.ts'

const known = new Matcher<Route>()
for (const route of routes) known.add(route.method.toUpperCase(), route.path, route)

// the same function and routes make what the server serves
const description = new Description(openapi(routes, { publicUrl: 'http://localhost', changes: changelog }))

/** The shapes that an error of a status may have, and no other. spec: Errors */
const ERRORS: Readonly<Record<number, z.ZodType>> = {
  400: z.union([ValidationError, CodeGraphicInvalidError, MotionError]),
  401: AuthenticationError,
  403: AuthorizationError,
  404: z.union([PlainError, MotionError, NoStillError]),
  409: z.union([
    TargetChangedError,
    LockedError,
    InUseError,
    NotAutomaticError,
    NothingToUndoError,
    OnAirError,
    RundownMovedError,
    RundownAtEndError,
    PlainError,
  ]),
  503: z.union([PlainError, MotionError]),
}

/** Statuses that the description lists for an operation. */
export const describedStatuses = (route: Route): string[] => description.statusesOf(route)

/**
 * Fails when an answer is not what the description shows the world: a status that it lists, and a body that its schema
 * accepts. `path` is below `/rest`.
 */
export function checkAnswer(method: string, path: string, status: number, contentType: string, text: string): void {
  const route = known.find(method, path.split('?')[0] ?? '')?.value
  const body = contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined
  if (status >= 400) {
    const shape = ERRORS[status] ?? PlainError
    if (method !== 'HEAD') shape.parse(body)
  }
  if (!route) return
  if (!describedStatuses(route).includes(String(status)))
    throw new Error(`${operationName(route)} answered ${status}, which its description does not list`)
  // a file is no JSON; an answer that should have had a body is wrong without it
  if (method === 'HEAD' || (body === undefined && text !== '')) return
  const wrong = description.wrongWith(route, status, body)
  if (wrong) throw new Error(`${operationName(route)} answered ${status} outside its description: ${wrong}`)
}

/** The bad values that a refusal names by their path, in either family of errors. */
export function badValues(body: unknown): Record<string, { message: string }> {
  const motion = MotionError.safeParse(body)
  if (motion.success)
    return Object.fromEntries((motion.data.details ?? []).map(({ field, reason }) => [field, { message: reason }]))
  // each detail has this shape, though an error may carry others
  return ValidationError.parse(body).details as Record<string, { message: string }>
}

/** What a route answers for what is not there. */
export const missingAt = ({ family }: Route) => ({
  message: 'Not Found',
  ...(family === 'motion' && { code: 'NOT_FOUND' }),
})
