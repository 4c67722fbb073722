import { BASE, navigate, usePath, useSearch } from './router.tsx'

/** The filters of a view; they stand in the address, so that they can be shared and survive a reload. */
export type Filters = {
  get(name: string): string
  /** Leaves the others as they are, and goes back to the first page; an empty text takes the filter away. */
  set(changes: Readonly<Record<string, string>>): void
  /** `?a=b&c=d` of those named that are set, and of `given`; empty when there are none. */
  query(names: readonly string[], given?: Readonly<Record<string, string>>): string
}

export function useFilters(): Filters {
  const search = useSearch()
  const path = usePath()
  return {
    get: (name) => search.get(name) ?? '',
    set(changes) {
      // a filter changed a moment ago may not be drawn yet
      const next = new URLSearchParams(location.pathname.startsWith(BASE) ? location.search : '')
      for (const [name, value] of Object.entries({ offset: '', ...changes })) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true })
    },
    query(names, given = {}) {
      const query = new URLSearchParams(given)
      for (const name of names) {
        const value = search.get(name)
        if (value) query.set(name, value)
      }
      return query.size > 0 ? `?${query}` : ''
    },
  }
}
