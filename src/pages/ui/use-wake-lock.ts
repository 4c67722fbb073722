import { useEffect } from 'react'

/** Keeps the screen of a tablet from going dark while the page is looked at, where the browser lets a page ask for that. */
export function useWakeLock() {
  useEffect(() => {
    // only there on secure addresses
    const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>
    if (!wakeLock) return
    let lock: WakeLockSentinel | undefined
    let left = false
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        lock = await wakeLock.request('screen')
        if (left) void lock.release()
      } catch {
        // the battery is low, or the browser would rather not
      }
    }
    void ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      left = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [])
}
