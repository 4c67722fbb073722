import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js'
import postgres from 'postgres'
import { markedKey, type Trigger } from './samples.ts'

/**
 * A bare server to compare with: no key, no checks, no state, no disk. One POST becomes one frame to the topic's subscribers.
 * With the URL of a database it commits a row per POST before it answers and pushes: the cost of durability for any server here.
 */
const frameBytes = Number(process.argv[2])
const trigger = JSON.parse(process.argv[3] ?? '{}') as Trigger
const key = markedKey(trigger)
const payload = { graphicId: trigger.graphicId, graphicName: 'reference', kind: 'code', url: '/', variableValues: {} }
const head = `${JSON.stringify({ type: 'LOAD_GRAPHIC', payload }).slice(0, -3)}${key}`
const quote = trigger.asText ? '"' : ''
const tail = `${quote}},"data":"${'.'.repeat(Math.max(0, frameBytes - head.length - 40))}","seq":`

const hello = '{"type":"HELLO","payload":{"width":1920,"height":1080}}'
const text = new TextDecoder()
const databaseUrl = process.argv[4]
const sql = databaseUrl ? postgres(databaseUrl, { max: 1, onnotice: () => {} }) : undefined
if (sql) await sql`create table if not exists bench_bare (topic text, body text)`

const seqs = new Map<string, number>()
type Entry = { res: HttpResponse; topic: string; body: string; gone: boolean }
let waiting: Entry[] = []
let committing = false

const app = App()

app.ws<{ topic: string }>('/overlay/:key/socket', {
  maxBackpressure: 1_048_576,
  upgrade: (res, req, context) => {
    const user = { topic: req.getParameter(0) ?? '' }
    const header = (name: string) => req.getHeader(`sec-websocket-${name}`)
    res.upgrade(user, header('key'), header('protocol'), header('extensions'), context)
  },
  open: (ws) => {
    ws.send(hello)
  },
  message: (ws, message) => {
    if (text.decode(message).includes('"showing"')) ws.subscribe(ws.getUserData().topic)
  },
})

// publishing inside the data callback would cost two thirds of the rate, so it happens once per turn of the loop
async function flush(): Promise<void> {
  if (committing) return
  const batch = waiting
  waiting = []
  if (sql) {
    committing = true
    await sql`insert into bench_bare select * from unnest(
      ${batch.map(({ topic }) => topic)}::text[], ${batch.map(({ body }) => body)}::text[])`
    committing = false
    // one commit at a time, with all rows gathered meanwhile, as Tally does
    if (waiting.length > 0) setImmediate(flush)
  }
  publish(batch)
}

function publish(batch: readonly Entry[]): void {
  for (const { topic, body } of batch) {
    const { variableValues } = JSON.parse(body) as { variableValues: Record<string, string | number> }
    const seq = (seqs.get(topic) ?? 0) + 1
    seqs.set(topic, seq)
    app.publish(topic, `${head}${variableValues[trigger.variable]}${tail}${seq}}}`)
  }
  for (const answer of batch) {
    if (answer.gone) continue
    answer.res.cork(() => {
      answer.res.writeHeader('Content-Type', 'application/json').end('{"ok":true}')
    })
  }
}

app.post('/rest/v2/overlays/:id/control-room/graphics', (res, req) => {
  const entry: Entry = { res, topic: req.getParameter(0) ?? '', body: '', gone: false }
  res.onAborted(() => {
    entry.gone = true
  })
  res.onData((chunk, isLast) => {
    entry.body += text.decode(chunk)
    if (isLast && waiting.push(entry) === 1) setImmediate(flush)
  })
})

app.any('/*', (res) => {
  res.writeStatus('404 Not Found').end()
})

app.listen('127.0.0.1', 0, (token) => {
  if (!token) throw new Error('the reference server found no port')
  process.send?.({ port: us_socket_local_port(token) })
})
process.on('disconnect', () => process.exit(0))
