/** What was wrong with a field, by its path: `body.name`, `query.limit`. */
export type Details = Readonly<Record<string, { readonly message: string; readonly value?: unknown }>>

/** An answer that is no success, or none at all after all tries. */
export class TallyError extends Error {
  override readonly name = 'TallyError'
  /** Of the answer; 0 when there was none. */
  readonly status: number
  /** The server's word for it, such as `NOTHING_TO_UNDO`, where it has one. */
  readonly code: string | undefined
  /** Every bad field of a request. */
  readonly details: Details
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined

  constructor(
    message: string,
    more: { status?: number; code?: string; details?: Details; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined)
    this.status = more.status ?? 0
    this.code = more.code
    this.details = more.details ?? {}
    this.requestId = more.requestId
  }
}

/** Reads the server's error out of its answer. */
export async function errorOf(answer: Response): Promise<TallyError> {
  const text = await answer.text().catch(() => '')
  const body = readObject(text)
  const { message, code, details } = body
  const requestId = answer.headers.get('x-request-id')
  return new TallyError(typeof message === 'string' ? message : `The server answered ${answer.status}`, {
    status: answer.status,
    ...(typeof code === 'string' && { code }),
    ...(typeof details === 'object' && details !== null && { details: details as Details }),
    ...(requestId !== null && { requestId }),
  })
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
