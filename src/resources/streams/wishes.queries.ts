import type { Context } from '../../context.ts'
import type { Wishes } from '../../media/director.ts'
import type { DestinationWish, InputWish, StreamWish } from '../../media/ports.ts'
import { type TargetRow, targetOf } from './urls.ts'

type Parts = {
  sql: Context['db']['sql']
  secrets: Context['db']['secrets']
  actors: Pick<Context['actors'], 'read'>
  /** The overlay page by its key, as the browser of this machine reaches it. */
  pageUrl(key: string): string
}

type InputRow = {
  organizationId: number
  type: 'default' | 'pull'
  secrets: string
  latencyMs: number
  streamIds: number[]
}

type StreamRow = {
  organizationId: number
  inputId: number | null
  resolution: '1080p' | '720p'
  fps: number
  videoBitrateKb: number
  inputVolume: number
  overlayKey: string | null
}

type DestinationRow = TargetRow & { id: number; secrets: string }

const SIZES = { '1080p': { width: 1920, height: 1080 }, '720p': { width: 1280, height: 720 } } as const

/** The wishes that the media plane is to make reality: of every organization, as rows and actors stand. spec: Streams 13, 15 */
export function createWishes({ sql, secrets, actors, pageUrl }: Parts): Wishes {
  const isUsed = async (streamIds: readonly number[]) => {
    const streams = await Promise.all(streamIds.map((id) => actors.read('stream', id)))
    return streams.some((stream) => stream?.context.phase === 'starting' || stream?.context.phase === 'running')
  }

  const destinationWish = async (row: DestinationRow): Promise<DestinationWish> => {
    const actor = await actors.read('destination', row.id)
    const { phase = 'stopped', attempt = 0, failures = 0 } = actor?.context ?? {}
    return {
      destinationId: row.id,
      phase,
      attempt,
      failures,
      target: targetOf(row, secrets.open('stream_destination', row.id, row.secrets)),
    }
  }

  return {
    async input(inputId): Promise<InputWish | undefined> {
      const [row] = await sql<InputRow[]>`
        select organization_id as "organizationId", type, secrets,
          latency_ms as "latencyMs", array(select id from stream_settings where input_id = i.id) as "streamIds"
        from stream_input i where id = ${inputId}`
      if (!row) return undefined
      const { organizationId, latencyMs } = row
      const { streamKey, sourceUrl } = secrets.open('stream_input', inputId, row.secrets)
      const actor = await actors.read('input', inputId)
      const { phase = 'idle', session = null, error = null } = actor?.context ?? {}
      const kind = row.type === 'pull' ? 'pull' : 'push'
      const wanted = kind === 'push' || (await isUsed(row.streamIds))
      return { inputId, organizationId, phase, session, error, kind, streamKey, sourceUrl, latencyMs, wanted }
    },

    async stream(streamId): Promise<StreamWish | undefined> {
      const actor = await actors.read('stream', streamId)
      if (!actor || actor.context.phase === 'stopped') return undefined
      const [[row], destinations] = await Promise.all([
        sql<StreamRow[]>`
          select s.organization_id as "organizationId", input_id as "inputId", resolution, fps,
            video_bitrate_kb as "videoBitrateKb", input_volume as "inputVolume", o.key as "overlayKey"
          from stream_settings s left join overlay o on o.id = s.overlay_id where s.id = ${streamId}`,
        sql<DestinationRow[]>`
          select id, type, secrets, pull_protocol as "pullProtocol", latency_ms as "latencyMs"
          from stream_destination where stream_settings_id = ${streamId} order by id`,
      ])
      if (!row) return undefined
      const { organizationId, inputId, overlayKey, fps, videoBitrateKb, inputVolume } = row
      const { phase, run, overlayHidden, liveOnceRunning, error } = actor.context
      const encoding = { ...SIZES[row.resolution], fps, videoBitrateKb, inputVolume }
      return {
        streamId,
        organizationId,
        phase,
        run,
        inputId,
        burn: overlayKey === null ? null : { pageUrl: pageUrl(overlayKey), ...encoding },
        overlayHidden,
        liveDue: phase === 'running' && liveOnceRunning,
        error,
        destinations: await Promise.all(destinations.map(destinationWish)),
      }
    },

    async streamOf(destinationId) {
      const [row] = await sql<{ id: number }[]>`
        select stream_settings_id as id from stream_destination where id = ${destinationId}`
      return row?.id
    },

    async streamsWith(overlayId) {
      const rows = await sql<{ id: number }[]>`select id from stream_settings where overlay_id = ${overlayId}`
      return rows.map(({ id }) => id)
    },

    async all() {
      const [inputs, streams] = await Promise.all([
        sql<{ id: number; changedAt: string }[]>`
          select id, extract(epoch from updated_at)::text as "changedAt" from stream_input order by id`,
        sql<{ id: number }[]>`
          select s.id from stream_settings s join actor a on a.ref = 'stream/' || s.id
          where a.snapshot -> 'context' ->> 'phase' <> 'stopped' order by s.id`,
      ])
      return { inputs, streamIds: streams.map(({ id }) => id) }
    },
  }
}
