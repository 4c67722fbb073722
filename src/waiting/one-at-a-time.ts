/**
 * Work of which one run goes on at a time; a call while it does makes one more run. `call` resolves when the last run that it asked for has
 * ended. The work never rejects.
 */
export function oneAtATime(work: () => Promise<void>): { call(): Promise<void>; ended(): Promise<void> } {
  let running: Promise<void> | undefined
  let again = false
  const run = async () => {
    try {
      while (again) {
        again = false
        await work()
      }
    } finally {
      running = undefined
    }
  }
  return {
    call() {
      again = true
      running ??= run()
      return running
    },
    ended: async () => running,
  }
}
