import { serviceTime } from '../waiting/service-time.ts'
import type { Clock } from './ports.ts'

/** The process's own time; the wall clock is that of the service. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: serviceTime,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    // sockets keep the process alive, timers do not
    timer.unref()
    return () => clearTimeout(timer)
  },
}
