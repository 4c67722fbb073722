import { useEffect, useState } from 'react'
import { api } from './api.ts'

const NONE: never[] = []

/** The answers of GET at paths of the API, in their order; none until all that can be read were. */
export function useEach<T>(paths: readonly string[]): readonly T[] {
  const said = paths.join(' ')
  const [read, setRead] = useState<{ said: string; values: readonly T[] }>({ said: '', values: NONE })
  useEffect(() => {
    let isOver = false
    const all = said === '' ? [] : said.split(' ').map((path) => api<T>('GET', path))
    void Promise.allSettled(all).then((answers) => {
      const values = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      if (!isOver) setRead({ said, values })
    })
    return () => {
      isOver = true
    }
  }, [said])
  return read.said === said ? read.values : NONE
}
