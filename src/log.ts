import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** JSON lines on stdout; for people when stdout is a terminal. */
export function createLog(level: string): Logger {
  if (!process.stdout.isTTY) return pino({ level })
  return pino({ level }, pretty({ colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname', sync: true }))
}
