import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { newOrganization, startApp } from './app.ts'
import { ffmpeg, listening, testPicture } from './media.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Record<string, unknown> }>

export type Report = {
  id: number
  status: 'connected' | 'connecting' | 'retrying'
  bitrateKb: number | null
  nextRetryDate: string | null
  activeClients: number | null
  publishing?: boolean
}

/** An RTMP server that takes one sender, as somebody might run it at home. */
export async function farEnd(port: number, ...output: string[]) {
  const url = `rtmp://127.0.0.1:${port}/live/far`
  const child = ffmpeg(['-listen', '1', '-i', url, ...(output.length > 0 ? output : ['-c', 'copy', '-f', 'null', '-'])])
  await listening(port)
  return {
    url,
    /** It is gone as when its machine loses power. */
    async die() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Sends a test picture with a tone, one try. */
export const sendOnce = (url: string) => ffmpeg([...testPicture({ kb: 600 }), '-f', 'flv', url])

/** Sends a test picture with a tone, and tries again when it is refused, as encoders do. */
export function sender(url: string): { kill(): void } {
  let killed = false
  let current = sendOnce(url)
  const again = () => {
    if (killed) return
    current = sendOnce(url)
    current.once('exit', again)
  }
  current.once('exit', again)
  const kill = () => {
    killed = true
    current.kill('SIGKILL')
  }
  onTestFinished(kill)
  return { kill }
}

/** One stream over REST. */
export function streamOf(call: Call, streamId: number) {
  const told = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, `/v1/streams/${streamId}${path}`, body)
    expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.body])
    return answer.body
  }
  const report = async (id: number): Promise<Report> => {
    const { body } = await call('GET', `/v1/streams/destinations/${id}`)
    // checked against the schema by whoever made the call
    return body as unknown as Report
  }
  return {
    tell: (operation: string, body?: unknown) => told('POST', `/${operation}`, body),
    read: () => told('GET', ''),
    report,
    async addDestination(name: string, target: Record<string, unknown>): Promise<number> {
      return Number((await told('POST', '/destinations', { name, ...target })).id)
    },
    async becomes(state: string, timeout = 60_000): Promise<void> {
      await expect.poll(async () => (await told('GET', '')).state, { timeout, interval: 50 }).toBe(state)
    },
    /** Resolves with the report that is so; the next one may tell something else. */
    async destinationBecomes(id: number, wanted: Partial<Report>, timeout = 60_000): Promise<Report> {
      let last: Report | undefined
      const read = async () => {
        last = await report(id)
        return last
      }
      await expect.poll(read, { timeout, interval: 50 }).toMatchObject(wanted)
      return last ?? read()
    },
  }
}

/** A server with media and a match of a new organization. To be closed by whoever asked for it. */
export async function liveServer(environment: Record<string, string> = {}) {
  const media = { MEDIA_ENGINE: 'embedded', RTMP_PORT: '0', SRT_PORT: '0', OUTBOUND_PRIVATE: 'on' }
  const app = await startApp({ ...media, ...environment })
  const organization = await newOrganization(app.database)
  const { sql } = app.database
  const [match] = await sql<{ id: number }[]>`
    with league as (
      insert into competition (organization_id, name, sport) values (${organization.id}, 'League', 'football') returning id)
    insert into match (organization_id, competition_id, sport, starts_at)
    select ${organization.id}, id, 'football', now() from league returning id`
  const matchId = match?.id ?? 0
  await app.app.media.start()
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, path, { key: organization.key, ...(body !== undefined && { body }) })
  return {
    app,
    organization,
    matchId,
    call,
    async newStream() {
      const input = (await call('POST', '/v1/streams/inputs', { name: 'Camera' })).body
      const { body } = await call('POST', '/v1/streams', { matchId, name: 'Match', inputId: input.id })
      const pushUrl = `${input.rtmpUrl}/${input.streamKey}`
      return { input, pushUrl, stream: streamOf(call, Number(body.id)) }
    },
  }
}

export type LiveServer = Awaited<ReturnType<typeof liveServer>>
