import { Api } from './api.ts'
import { playFootball } from './match-day/football.ts'
import { playTennis } from './match-day/tennis.ts'
import type { Say } from './say.ts'
import { removeDataDir, startServer, temporaryDataDir } from './server.ts'

/**
 * Plays both matches on a running server, whose organization has the control room of a demo, or on a server of its own.
 * Resolves the exit code: 1 when anything that shows a match disagreed.
 */
export async function runMatchDay(
  running: { url: string; key: string } | undefined,
  say: Say,
  print: (text: string) => void,
): Promise<number> {
  const play = async ({ url, key }: { url: string; key: string }) => {
    const api = new Api(url, key)
    const disagreements = [...(await playFootball(api, say)), ...(await playTennis(api, say))]
    for (const sentence of disagreements) print(`DISAGREES: ${sentence}`)
    if (disagreements.length === 0) print(`ok: ${api.requests} requests, everything agrees`)
    return disagreements.length > 0 ? 1 : 0
  }
  if (running) return play(running)
  const dataDir = temporaryDataDir()
  try {
    say('starting a server on an empty data directory')
    const server = await startServer(dataDir)
    try {
      const { apiKey } = (await server.admin('demo', '--name', 'Match day')) as { apiKey: string }
      return await play({ url: server.url, key: apiKey })
    } finally {
      await server.stop()
    }
  } finally {
    removeDataDir(dataDir)
  }
}
