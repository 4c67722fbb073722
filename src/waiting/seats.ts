import { unavailable } from '../errors.ts'
import { Line } from './line.ts'

export type SeatLimits = {
  /** How many may be inside at once. */
  seats: number
  /** How many may wait outside; one more is told to come again at once. */
  waiting: number
  /** How long one waits before it is told to come again. */
  waitMs: number
}

/** Lets so many callers in at once; others wait outside, in order. Throws unavailable. */
export function createSeats({ seats, waiting, waitMs }: SeatLimits) {
  const outside = new Line<() => void>()
  let free = seats

  const enter = (): Promise<void> | undefined => {
    if (free > 0) {
      free--
      return undefined
    }
    if (outside.size >= waiting) throw unavailable()
    return new Promise((resolve, reject) => {
      const place = outside.join(() => {
        clearTimeout(patience)
        resolve()
      })
      const patience = setTimeout(() => {
        outside.leave(place)
        reject(unavailable())
      }, waitMs)
    })
  }

  const leave = () => {
    const next = outside.first
    if (!next) free++
    else {
      outside.leave(next)
      next.member()
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
