import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** JSON lines on stdout; for people when stdout is a terminal. `node`: of several nodes the id of this one, in each line, as `nodeId`. */
export function createLog(level: string, node?: string): Logger {
  const log = process.stdout.isTTY
    ? pino({ level }, pretty({ colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname', sync: true }))
    : pino({ level })
  return node === undefined ? log : log.child({ nodeId: node })
}
