import { useEffect, useState } from 'react'
import { api } from '../api.ts'

const PAGE = 1_000

/** All records of a list of the API, however many; undefined reads nothing yet. `member` is that of its answer. */
export function useWhole<T>(path: string | undefined, member: string) {
  const [value, setValue] = useState<readonly T[]>()
  const [error, setError] = useState<unknown>()
  const reload = async () => {
    if (path === undefined) return
    try {
      setValue(await wholeList<T>(path, member))
      setError(undefined)
    } catch (failure) {
      setError(failure)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each list
  useEffect(() => {
    setValue(undefined)
    void reload()
  }, [path])
  return { value, error, reload }
}

async function wholeList<T>(path: string, member: string): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const mark = path.includes('?') ? '&' : '?'
    const page = await api<{ total: number; returned: number } & Record<string, unknown>>(
      'GET',
      `${path}${mark}limit=${PAGE}&offset=${all.length}`,
    )
    // the member of the answer that the caller names
    all.push(...(page[member] as T[]))
    if (page.returned === 0 || all.length >= page.total) return all
  }
}
