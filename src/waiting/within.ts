/** Settles as `work` does, or rejects with what `late` makes after this time; the work goes on, and its failure is nobody's any more. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
