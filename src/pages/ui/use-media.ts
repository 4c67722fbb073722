import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, as long as the component is there. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query)
      // engines of old telephones know no events here
      list.addEventListener?.('change', changed)
      return () => list.removeEventListener?.('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
