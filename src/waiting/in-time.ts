const DATABASE_DEADLINE_MS = 1_000

/** The result of work in the database, or undefined when it failed or took too long. */
export async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DATABASE_DEADLINE_MS)
  })
  const answer = await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
  return answer
}
