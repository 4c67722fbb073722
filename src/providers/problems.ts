import { ApiError } from '../errors.ts'

const MOST_LINES = 100

/** The refusals of a feed by the rules of matches. */
export class Problems {
  /** One line each, for people. */
  readonly lines: string[] = []
  /** The provider's ids of the matches concerned. */
  readonly matches = new Set<string>()

  /** The result of a command, or undefined after it was refused. Throws when it could not be judged at all. */
  async of<T>(match: string, about: string, command: () => Promise<T>): Promise<T | undefined> {
    try {
      return await command()
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.add(match, about, error)
      return undefined
    }
  }

  add(match: string, about: string, refusal: ApiError) {
    this.matches.add(match)
    if (this.lines.length < MOST_LINES) this.lines.push(`${about}: ${reasonOf(refusal)}`)
  }
}

/** The request itself cannot be; asking again changes nothing. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.status !== 429

function reasonOf({ body, message }: ApiError): string {
  const { details } = body
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return message
  const reasons = Object.entries(details).map(([path, detail]) => `${path} ${messageOf(detail)}`)
  return reasons.length > 0 ? reasons.join(', ') : message
}

const messageOf = (detail: unknown) =>
  typeof detail === 'object' && detail !== null && 'message' in detail ? String(detail.message) : ''
