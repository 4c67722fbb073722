import { sleep } from './clock.ts'
import type { GameDay } from './options.ts'
import { findTriggers, rest } from './production.ts'
import { measurePush, openStage, type PushRun } from './push.ts'
import { openRenderers } from './renderers.ts'
import { createSamples } from './samples.ts'
import type { Say } from './say.ts'
import { percentile } from './stats.ts'
import { createTarget } from './target.ts'

type Overlay = { id: number; key: string; name: string; controlRoomId: number | null }
type Room = { presets: { id: number; graphicId: string; graphicName: string; exposedVariables: string[] }[] }

/** Fires presets of one overlay of a deployed server and takes them off again. Resolves the exit code: 1 when a limit is missed. */
export async function runGameDay(options: GameDay, say: Say, print: (text: string) => void): Promise<number> {
  const { url, key, rate, seconds, p99PushMs } = options
  const overlay = await get<Overlay>(options, `/v2/overlays/${options.overlay}`)
  if (overlay.controlRoomId === null) throw new Error(`overlay ${options.overlay} has no control room, so no presets`)
  const room = await get<Room>(options, `/v2/control-rooms/${overlay.controlRoomId}`)
  const onAir = await countOnAir(url, overlay.key)
  if (onAir > 0 && !options.force)
    throw new Error(
      `${onAir} graphics are on air on this overlay; --force measures all the same and takes them off air`,
    )

  say(`"${overlay.name}": showing its presets, hideAll at the end`)
  const hideAll = () => rest(url, key, 'POST', `/v2/overlays/${overlay.id}/graphics/commands`, { action: 'hideAll' })
  const leave = () => void hideAll().finally(() => process.exit(130))
  process.once('SIGINT', leave).once('SIGTERM', leave)
  let run: PushRun
  try {
    const triggers = await findTriggers(url, key, overlay.id, room.presets)
    const target = createTarget({ name: overlay.name, url, overlays: [overlay], triggers, apiKey: key })
    const stage = await openStage(target, options.renderers, createSamples(), {})
    run = await measurePush(stage, { rate, seconds })
    await stage.renderers.close()
  } finally {
    const { status, text } = await hideAll()
    say(status === 200 ? 'hideAll: the overlay is empty again' : `hideAll failed, clear the overlay by hand: ${text}`)
  }
  return verdict(run, p99PushMs, print)
}

function verdict(run: PushRun, p99PushMs: number | undefined, print: (text: string) => void): number {
  const { push, rest: answers, lag } = run
  print(`push  p50 ${percentile(push, 50)}  p99 ${percentile(push, 99)}  most ${percentile(push, 100)} ms`)
  print(`REST  p50 ${percentile(answers, 50)}  p99 ${percentile(answers, 99)}  most ${percentile(answers, 100)} ms`)
  print(
    `frames ${run.frames} of ${run.expected}, answers ${JSON.stringify(run.statuses)}, sent late p99 ${percentile(lag, 99)} ms`,
  )
  const wrong = [
    ...(run.frames < run.expected ? [`${run.expected - run.frames} frames missing`] : []),
    ...(Object.keys(run.statuses).some((status) => status !== '200') ? ['requests were refused or unanswered'] : []),
    ...run.failed,
    ...(p99PushMs !== undefined && percentile(push, 99) > p99PushMs
      ? [`p99 of the push is ${percentile(push, 99)} ms, the limit ${p99PushMs} ms`]
      : []),
  ]
  for (const sentence of wrong) print(`MISSED: ${sentence}`)
  if (wrong.length === 0) print(p99PushMs === undefined ? 'ok' : `ok: within ${p99PushMs} ms`)
  return wrong.length > 0 ? 1 : 0
}

async function get<T>({ url, key }: GameDay, path: string): Promise<T> {
  const { status, text, json } = await rest<T>(url, key, 'GET', path)
  if (json === undefined) throw new Error(`GET ${path} answered ${status}: ${text}`)
  return json
}

/** How many graphics a renderer that shows nothing is sent. */
async function countOnAir(url: string, key: string): Promise<number> {
  const renderers = await openRenderers(url, [key], 1, { samples: createSamples(), triggers: [], paints: false })
  await sleep(1_000)
  const { frames } = await renderers.seen()
  await renderers.close()
  return frames
}
