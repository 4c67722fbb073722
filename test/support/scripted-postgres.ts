import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What the server answers to one statement: rows of one text column `n`, and how it ends; `silence` ends it not at all. */
export type Script = {
  rows: readonly string[]
  end: 'complete' | 'error' | 'fatal' | 'cut' | 'silence'
  /** Called once the rows were sent, before the end. */
  then?: () => Promise<void>
}

export type ScriptedPostgres = {
  url: string
  /** The statements of each connection, in the order the connections came. */
  readonly heard: readonly (readonly string[])[]
  /** How many cancellations were asked for. */
  readonly cancellations: () => number
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const text = (value: string) => Buffer.from(`${value}\0`)

type Status = 'I' | 'T' | 'E'
const ready = (status: Status) => message('Z', Buffer.from(status))
const WELCOME = Buffer.concat([message('R', int32(0)), message('K', Buffer.concat([int32(7), int32(7)])), ready('I')])
const AFTER: Readonly<Record<string, Status>> = { begin: 'T', commit: 'I', rollback: 'I' }
const NO_PARAMETERS = message('t', int16(0))
const COLUMN = message(
  'T',
  Buffer.concat([int16(1), text('n'), int32(0), int16(0), int32(25), int16(-1 & 0xffff), int32(-1), int16(0)]),
)
const row = (value: string) =>
  message('D', Buffer.concat([int16(1), int32(Buffer.byteLength(value)), Buffer.from(value)]))
const failure = (severity: string, code: string) =>
  message('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mscripted\0Rscripted\0\0`))

const CANCEL_REQUEST = 80877102

/**
 * A server that speaks as much of PostgreSQL's protocol as statements without parameters need, and says exactly what the script
 * says, frame by frame: what a real one does too rarely to wait for.
 */
export async function scriptedPostgres(scripts: Readonly<Record<string, Script>>): Promise<ScriptedPostgres> {
  const heard: string[][] = []
  const open = new Set<Socket>()
  let cancellations = 0

  const serve = (socket: Socket) => {
    const mine: string[] = []
    const names = new Map<string, string>()
    let unread = Buffer.alloc(0)
    let started = false
    let prepared = false
    let asked = ''
    let status: Status = 'I'
    let turn = Promise.resolve()

    const manage = (statement: string, opening: readonly Buffer[]) => {
      status = AFTER[statement] ?? status
      socket.write(Buffer.concat([...opening, message('C', text(statement.toUpperCase())), ready(status)]))
    }
    const answer = async (statement: string, described: boolean) => {
      if (statement in AFTER)
        return manage(
          statement,
          described
            ? [
                message('1', Buffer.alloc(0)),
                NO_PARAMETERS,
                message('n', Buffer.alloc(0)),
                message('2', Buffer.alloc(0)),
              ]
            : [],
        )
      const script = scripts[statement] ?? { rows: ['unscripted'], end: 'complete' }
      const opening = described ? [message('1', Buffer.alloc(0)), NO_PARAMETERS, COLUMN] : []
      socket.write(Buffer.concat([...opening, message('2', Buffer.alloc(0)), ...script.rows.map(row)]))
      await script.then?.()
      if (script.end === 'silence') return
      if (script.end === 'cut') return void socket.destroySoon()
      if (script.end === 'fatal') return void socket.end(failure('FATAL', '57P01'))
      const end =
        script.end === 'error' ? failure('ERROR', '57014') : message('C', text(`SELECT ${script.rows.length}`))
      socket.write(Buffer.concat([end, ready(status)]))
    }
    const take = (type: string, body: Buffer) => {
      const [first = '', second = ''] = body.toString('latin1').split('\0')
      if (type === 'P') {
        prepared = true
        names.set(first, second)
      } else if (type === 'B') asked = names.get(second) ?? ''
      else if (type === 'S') {
        const [statement, described] = [asked, prepared]
        prepared = false
        mine.push(statement)
        turn = turn.then(() => answer(statement, described))
      } else if (type === 'Q') {
        const statement = first.trim()
        mine.push(statement)
        turn = turn.then(() => manage(statement, []))
      } else if (type === 'X') socket.end()
    }
    const start = (length: number): boolean => {
      if (unread.readInt32BE(4) === CANCEL_REQUEST) {
        cancellations++
        socket.end()
        return false
      }
      heard.push(mine)
      started = true
      unread = unread.subarray(length)
      return socket.write(WELCOME)
    }

    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk])
      if (!started && unread.length >= 8 && !start(unread.readInt32BE(0))) return
      while (unread.length >= 5 && unread.length > unread.readInt32BE(1)) {
        const length = unread.readInt32BE(1) + 1
        take(unread.toString('latin1', 0, 1), unread.subarray(5, length))
        unread = unread.subarray(length)
      }
    })
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `postgres://tally@127.0.0.1:${port}/tally`, heard, cancellations: () => cancellations }
}
