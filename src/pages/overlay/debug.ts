import type { Stage } from './stage.ts'

export type Telemetry = {
  revision: string
  renderer: string
  bus: string
  socket: string
  reconnects: number
  seq: number
  roundTripMs: number
  serverOffsetMs: number
  paintMs: number
  problems: { graphic: string; reason: string }[]
}

/** The `?debug` panel: the state of this page, twice a second. Nothing of it exists without the parameter. */
export function showDebug(telemetry: Telemetry, stage: Stage) {
  const panel = document.createElement('pre')
  panel.id = 'debug'
  document.body.append(panel)
  let frames = 0
  let since = performance.now()
  const count = () => {
    frames++
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  const engine = /(?:Chrome|Chromium)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? navigator.userAgent
  const host = /(?:OBS|vMix|CasparCG)[/\w.]*/i.exec(navigator.userAgent)?.[0]
  const draw = () => {
    const now = performance.now()
    const fps = Math.round((frames * 1_000) / (now - since))
    frames = 0
    since = now
    const slots = [...stage.slots.values()]
    const onAir = slots.filter((slot) => slot.onAir)
    panel.textContent = [
      `page      ${telemetry.revision}   renderer ${telemetry.renderer}`,
      `engine    ${engine}${host ? ` in ${host}` : ''}   ${innerWidth}x${innerHeight} at ${fps} fps`,
      `socket    ${telemetry.socket}   reconnects ${telemetry.reconnects}   seq ${telemetry.seq}`,
      `latency   ${telemetry.roundTripMs.toFixed(1)} ms round trip   ${telemetry.paintMs.toFixed(1)} ms to paint`,
      `clock     server ${telemetry.serverOffsetMs >= 0 ? '+' : ''}${telemetry.serverOffsetMs.toFixed(1)} ms`,
      `mounted   ${slots.length}`,
      `${telemetry.bus === 'preview' ? 'preview' : 'on air '}   ${onAir.length === 0 ? 'nothing' : ''}`,
      ...onAir.map((slot) => `  ${slot.showing ? '●' : '○'} ${slot.name}   seq ${slot.seq}`),
      ...telemetry.problems.map(({ graphic, reason }) => `! ${graphic}: ${reason}`),
    ].join('\n')
  }
  window.setInterval(draw, 500)
  draw()
}
