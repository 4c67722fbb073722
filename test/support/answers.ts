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
  LockedError,
  PlainError,
  TargetChangedError,
  ValidationError,
} from '../../src/schema/errors.ts'

const known = new Matcher<Route>()
for (const route of routes) known.add(route.method.toUpperCase(), route.path, route)

const description = openapi(routes, { publicUrl: 'http://localhost', changes: changelog })

/** The shapes that an error of a status may have, and no other. spec: Errors */
const ERRORS: Readonly<Record<number, z.ZodType>> = {
  400: z.union([ValidationError, CodeGraphicInvalidError]),
  401: AuthenticationError,
  403: AuthorizationError,
  409: z.union([TargetChangedError, LockedError, PlainError]),
}

/** Statuses that the description lists for an operation. */
export function describedStatuses(route: Route): string[] {
  const paths = z.record(z.string(), z.record(z.string(), z.unknown())).parse(description.paths)
  const operation = z.object({ responses: z.record(z.string(), z.unknown()) }).parse(paths[route.path]?.[route.method])
  return Object.keys(operation.responses)
}

/**
 * Fails when an answer is not what the route shows the world: a status that its description lists, and a body of exactly
 * that schema. `path` is below `/rest`.
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
  if (status >= 300 || body === undefined || method === 'HEAD') return
  const parsed = route.response?.safeParse(body)
  if (parsed && !parsed.success)
    throw new Error(`${operationName(route)} answered outside its schema: ${z.prettifyError(parsed.error)}`)
}
