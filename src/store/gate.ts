/** Lets so many do something at once; the others wait, in order. */
export function createGate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const outside: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => outside.push(resolve))
    try {
      return await work()
    } finally {
      const next = outside.shift()
      if (next) next()
      else free++
    }
  }
}
