import type { Sql } from 'postgres'
import type { Context } from '../../context.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { observe } from './observe.commands.ts'
import { rescheduleStream } from './schedule.ts'
import { settleDestinations } from './settle.ts'

type Parts = {
  sql: Sql
  /** The context of a command that no client asked for. */
  systemContext(organizationId: number, name: string): Context
}

type Found = { id: number; organizationId: number }

const AUTO_STREAM = 'Auto Stream'

/** Reactions of streams to changes. Each may be called at any time, and again. */
export type StreamReactions = {
  /** A stream changed: its destinations hear of it, and it goes live when its time has come. */
  changed(streamId: number): Promise<void>
  /** A match changed, and with it the times of its streams. */
  matchChanged(matchId: number): Promise<void>
  /** The schedule of one stream, as its settings and its match are now. */
  reschedule(streamId: number): Promise<void>
  /** The schedules of all streams that have one or are to have one. One that fails keeps no other from it; the first error is thrown. */
  rescheduleAll(): Promise<void>
}

export function createStreamReactions({ sql, systemContext }: Parts): StreamReactions {
  const find = async (streamId: number): Promise<Found | undefined> => {
    const [row] = await sql<Found[]>`
      select id, organization_id as "organizationId" from stream_settings where id = ${streamId}`
    return row
  }
  const reschedule = ({ id, organizationId }: Found) => rescheduleStream(systemContext(organizationId, AUTO_STREAM), id)

  return {
    async changed(streamId) {
      const stream = await find(streamId)
      if (!stream) return
      const { organizationId } = stream
      const ctx = systemContext(organizationId, AUTO_STREAM)
      const known = await ctx.actors.read('stream', streamId)
      if (known?.context.phase === 'running' && known.context.liveOnceRunning) {
        const { run } = known.context
        // it runs already, and is told so again: this time it is for the public
        await observe(ctx, { type: 'stream.started', organizationId, streamId, run, at: serviceMoment() })
      }
      await settleDestinations(ctx, streamId, { now: false })
    },
    async matchChanged(matchId) {
      const streams = await sql<Found[]>`
        select id, organization_id as "organizationId" from stream_settings where match_id = ${matchId} order by id`
      await Promise.all(streams.map(reschedule))
    },
    async reschedule(streamId) {
      const stream = await find(streamId)
      if (stream) await reschedule(stream)
    },
    async rescheduleAll() {
      const streams = await sql<Found[]>`
        select s.id, s.organization_id as "organizationId"
        from stream_settings s left join actor a on a.ref = 'stream/' || s.id
        where s.auto_stream or a.snapshot -> 'context' ->> 'automation' is not null order by s.id`
      const failed: unknown[] = []
      for (const stream of streams) await reschedule(stream).catch((error: unknown) => void failed.push(error))
      if (failed.length > 0) throw failed[0]
    },
  }
}
