import type { Feed } from '../resources/providers/feed.schema.ts'
import type { ProviderName } from '../schema/provider.ts'

/** Where a provider's records come from, and the secret that opens them. */
export type Source = { url: string; token: string | null }

/** A page as it was fetched; kept until the next sync, so that the provider may say that it has not changed. */
export type Page = { url: string; etag: string | null; lastModified: string | null; body: Buffer }

/** One data provider that can be connected. */
export interface ProviderConnector {
  readonly name: ProviderName
  /**
   * Fetches every page, asking for those of `known` only in case they changed. Returns the pages of `known` themselves where
   * they did not. Throws SyncError.
   */
  fetch(source: Source, known: readonly Page[], signal?: AbortSignal): Promise<Page[]>
  /** The checked records of these pages. Throws SyncError naming each bad value by its path. */
  read(pages: readonly Page[]): Promise<Feed>
}

/** Why a sync came to nothing, in one line for people. */
export class SyncError extends Error {
  /** `teams[3].name: 6 to 39 characters`, at most 50 of them. */
  readonly details: readonly string[]
  /** The provider asked to be left alone for so long. */
  readonly retryAfterMs: number

  constructor(
    message: string,
    { details = [], retryAfterMs = 0 }: { details?: readonly string[]; retryAfterMs?: number } = {},
  ) {
    super(message)
    this.details = details.slice(0, 50)
    this.retryAfterMs = retryAfterMs
  }
}
