/** A refusal of the server, with its reasons by the path of the field: `body.name`. */
export class Refusal extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, { message: string }>>
  /** What uses a record that is not deleted for that. */
  readonly uses: readonly string[]

  constructor(status: number, message: string, details: Refusal['details'] = {}, uses: Refusal['uses'] = []) {
    super(message)
    this.status = status
    this.details = details
    this.uses = uses
  }
}
