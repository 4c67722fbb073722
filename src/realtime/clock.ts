import type { Clock } from './ports.ts'

/** The process's own time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    // sockets keep the process alive, timers do not
    timer.unref()
    return () => clearTimeout(timer)
  },
}
