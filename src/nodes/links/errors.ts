/** No answer came, and none will. `sent: false` means that surely no handler ran there: it may be asked of another node. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost'
  readonly sent: boolean

  constructor(why: string, sent: boolean) {
    super(why)
    this.sent = sent
  }
}

/** An ask that was not answered in time: it may have been carried out there, or be so yet. */
export class LinkTimeout extends Error {
  override readonly name = 'LinkTimeout'
  readonly sent = true
}

/**
 * The error that the handler there told, by its name. The link itself refuses with `busy`, `closing`, `tooLarge` and
 * `unknownKind`; of these, only a `tooLarge` that the other side told means that a handler ran.
 */
export class LinkRefused extends Error {
  override readonly name: string
  readonly data: unknown

  constructor(name: string, message: string, data?: unknown) {
    super(message)
    this.name = name
    this.data = data
  }
}
