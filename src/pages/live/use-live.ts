import { useEffect, useState } from 'react'
import { follow, type Live, notFollowing } from './follow.ts'

/** The socket of the page that is open: `/control/{token}` and `/monitor/{token}` have theirs below them. */
export const socketOfPage = ({ origin, pathname }: Location) =>
  `${origin.replace(/^http/, 'ws')}${pathname.split('/').slice(0, 3).join('/')}/socket`

/** The state of this page's overlay as the server tells it, and the state of the connection. */
export function useLive(url: string = socketOfPage(location)): Live {
  const [live, setLive] = useState(notFollowing)
  useEffect(() => {
    const following = follow(url, setLive)
    return () => following.close()
  }, [url])
  return live
}
