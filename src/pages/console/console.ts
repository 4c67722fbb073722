import './console.css'
import type { LiveGraphic, LiveRenderer } from '../../realtime/live-protocol.ts'
import { follow, type Live } from '../live/follow.ts'
import { followServerTime, localNow } from '../shared/server-time.ts'

let offsetMs = 0

/** Runs the monitor or control page; both follow the same state. */
export function openConsole(kind: 'monitor' | 'control', title: string) {
  const { origin, pathname } = location
  const path = pathname.replace(/\/+$/, '')
  let live: Live | undefined
  const draw = () => {
    if (live) render(live, title)
  }
  followServerTime(`${origin}/time`, (offset) => {
    offsetMs = offset
  })
  follow(`${origin.replace(/^http/, 'ws')}${path}/socket`, (next) => {
    live = next
    draw()
  })
  window.setInterval(draw, 1_000)
  document.documentElement.dataset.page = kind
}

const node = (tag: string, className: string, ...children: (Node | string)[]) => {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no element #${id}`)
  return found
}

/** `42 s`, `3:07`, `1:02:09`. */
function ago(since: string | number | null): string {
  if (since === null) return ''
  const at = typeof since === 'number' ? since + offsetMs : Date.parse(since)
  const seconds = Math.max(0, Math.floor((localNow() + offsetMs - at) / 1000))
  if (seconds < 60) return `${seconds} s`
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

function card({ graphicName, variableValues, since, presetId }: LiveGraphic) {
  const values = Object.entries(variableValues).filter(([, value]) => value !== null && value !== '')
  return node(
    'article',
    'card',
    node('div', 'state', node('span', '', 'On air'), node('span', '', ago(since))),
    node('h3', '', graphicName),
    node(
      'dl',
      '',
      ...[['preset', presetId] as const, ...values].flatMap(([name, value]) => [
        node('dt', '', name),
        node('dd', '', String(value)),
      ]),
    ),
  )
}

function row({ name, connectedAt, lastPaintAt, lastSeq }: LiveRenderer) {
  const painted = lastPaintAt ? `painted revision ${lastSeq}, ${ago(lastPaintAt)} ago` : 'nothing painted yet'
  const text = node('span', '', `connected ${ago(connectedAt)}, ${painted}`)
  return node('li', '', node('div', '', node('strong', '', name), text))
}

function render({ overlay, seq, connection, since, renderers, ...live }: Live, title: string) {
  const onAir = [...live.onAir.values()]
  const connected = connection === 'connected'
  document.body.className = [connected ? '' : 'lost', onAir.length > 0 ? 'on-air' : ''].join(' ')
  document.title = `${connected ? (onAir.length > 0 ? '● ' : '') : 'Not connected: '}${overlay?.name ?? title}`
  byId('connection').textContent = connected ? 'Connected' : 'Not connected'
  byId('alarm').textContent =
    connection === 'gone'
      ? 'This overlay was deleted.'
      : `Not connected for ${ago(since)}. What you see may be out of date. Trying again.`
  byId('name').replaceChildren(overlay?.name ?? 'Connecting', node('small', '', title))
  byId('count').textContent = String(onAir.length)
  byId('cards').replaceChildren(
    ...(onAir.length > 0
      ? onAir.map(card)
      : [node('p', 'none', overlay ? 'Nothing is on air' : 'Waiting for the server')]),
  )
  byId('renderer-count').textContent = String(renderers.length)
  byId('renderers').replaceChildren(
    ...(renderers.length > 0 ? renderers.map(row) : [node('p', 'none', 'No renderer is connected')]),
  )
  byId('facts').textContent = overlay
    ? `Revision ${seq}${overlay.encodingDelay > 0 ? `, delayed by ${overlay.encodingDelay} s` : ''}`
    : ''
}
