import type { Sql } from 'postgres'
import { notFound } from '../../errors.ts'
import type { Page } from '../../http/message.ts'
import { findReplay } from './queries.ts'
import { type ReplayParts, replayRecord } from './record.ts'

export type ReplayPagesParts = {
  sql: Sql
  log: ReplayParts['log']
  publicUrl(): string
  /** Gives up a wait for the database. */
  within<T>(work: Promise<T>): Promise<T>
}

/** The record that the page of a replay plays: `/replay/{token}/record`. A token that is unknown or has expired answers 404. */
export const replayPages = ({ sql, log, publicUrl, within }: ReplayPagesParts): Page[] => [
  {
    path: '/replay/{token}/record',
    unhurried: true,
    async handle(_request, { token = '' }) {
      const found = await within(findReplay(sql, token))
      if (!found) throw notFound()
      const record = await replayRecord({ sql, log, publicUrl: publicUrl() }, found.overlay, found.settings)
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
        body: JSON.stringify({ ...record, expiresAt: found.expiresAt.toISOString() }),
      }
    },
  },
]
