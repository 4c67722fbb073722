import { once } from 'node:events'
import { expect } from 'vitest'
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

/** Sends a test picture with a tone. */
export const sender = (url: string) => ffmpeg([...testPicture({ kb: 600 }), '-f', 'flv', url])

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
    async becomes(state: string, timeout = 10_000): Promise<void> {
      await expect.poll(async () => (await told('GET', '')).state, { timeout, interval: 50 }).toBe(state)
    },
    async destinationBecomes(id: number, wanted: Partial<Report>, timeout = 15_000): Promise<Report> {
      await expect.poll(() => report(id), { timeout, interval: 50 }).toMatchObject(wanted)
      return report(id)
    },
  }
}
