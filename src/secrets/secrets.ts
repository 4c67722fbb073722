import { keyIdOf, type SecretKey, seal, unseal } from './sealing.ts'

/** The column `secrets` of each table, as JSON before it is sealed. */
export type RowSecrets = {
  /** `obsPassword`: of obs-websocket; left out where none is set. */
  overlay: { control: string; monitoring: string; obsPassword?: string }
  /** The token of the page at the pitch, by the id of its match. */
  match_desk: { desk: string }
  /** Empty strings where the type of input has no use for one. */
  stream_input: { streamKey: string; sourceUrl: string }
  /** `url` is where it is pushed to; `pullToken` of type pull alone. */
  stream_destination: { url: string; streamKey: string; pullToken: string | null }
  /** `url` with its query. */
  provider_connection: { url: string; token: string | null }
  provider_page: { url: string }
  sign_in_secret: { secret: string }
  /** `secret` signs; `before` signs along for a day after it was replaced. */
  webhook: { url: string; secret: string; before: string | null }
  /** The kept answer of a request under an Idempotency-Key. */
  idempotency: { body: string }
}
export type SealedTable = keyof RowSecrets

/** Seals the secrets that the database must not hold in plain, and opens them again. */
export interface Secrets {
  /** The text of the column `secrets` of one row. */
  seal<Table extends SealedTable>(table: Table, row: number | string, value: RowSecrets[Table]): string
  /** Throws when the key is not known here, and for a sealed value that was changed or belongs to another row. */
  open<Table extends SealedTable>(table: Table, row: number | string, sealed: string): RowSecrets[Table]
}

/** Where a sealed text belongs. */
export const placeOf = (table: SealedTable, row: number | string) => `${table}/secrets/${row}`

/** The keys of this process. Only the caller that makes a ring knows where they come from. */
export class KeyRing implements Secrets {
  readonly #keys = new Map<string, SecretKey>()
  readonly #reread: () => readonly SecretKey[]
  #preferred: SecretKey | undefined
  #current: SecretKey | undefined
  #locked: string | undefined

  /** `reread` answers the keys as they are configured now, the preferred one first. */
  constructor(reread: () => readonly SecretKey[]) {
    this.#reread = reread
    this.reread()
  }

  /** The key that the configuration wants used. */
  get preferred(): SecretKey | undefined {
    return this.#preferred
  }

  /** The key that is used. */
  get current(): SecretKey | undefined {
    return this.#current
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  key(id: string): SecretKey | undefined {
    return this.#keys.get(id)
  }

  /** One more to open with. */
  add(key: SecretKey): void {
    this.#keys.set(key.id, key)
  }

  /** Looks where the keys come from. */
  reread(): void {
    const keys = this.#reread()
    this.#preferred = keys[0]
    for (const key of keys) this.add(key)
  }

  /** Seals with this key from now on. Throws when it is not known. */
  use(id: string): void {
    const key = this.#keys.get(id)
    if (!key) throw new Error(`key ${id} is not known here`)
    this.#current = key
    this.#locked = undefined
  }

  /** Nothing can be sealed or opened, and why. */
  lock(why: string): void {
    this.#current = undefined
    this.#locked = why
  }

  seal<Table extends SealedTable>(table: Table, row: number | string, value: RowSecrets[Table]): string {
    if (!this.#current) throw new Error(this.#locked ?? 'no key for secrets was opened')
    return seal(this.#current, placeOf(table, row), JSON.stringify(value))
  }

  open<Table extends SealedTable>(table: Table, row: number | string, sealed: string): RowSecrets[Table] {
    const id = keyIdOf(sealed) ?? ''
    // a rotation that this process has not heard of yet
    if (!this.#keys.has(id)) this.reread()
    const key = this.#keys.get(id)
    if (!key)
      throw new Error(
        this.#locked ?? `SECRETS_KEY: ${placeOf(table, row)} is sealed with key ${id}, which is not known here`,
      )
    return parsed(unseal(key, placeOf(table, row), sealed))
  }
}

// authenticated: nobody but `seal` made it
const parsed = <Value>(text: string): Value => JSON.parse(text) as Value

/** Where nothing is sealed. */
export const NO_SECRETS: Secrets = new KeyRing(() => [])
