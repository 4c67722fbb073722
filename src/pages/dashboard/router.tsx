import { type ComponentProps, type MouseEvent, useSyncExternalStore } from 'react'

/** Where the dashboard lies; paths of views are below it. */
export const BASE = '/dashboard'

const listeners = new Set<() => void>()

type Guard = { readonly path: string; asks(to: string): boolean }
let guard: Guard | undefined

/** Whether somebody has to be asked before the view is left for this path. */
const stays = (to: string) => guard !== undefined && to.split('?')[0] !== guard.path && guard.asks(to)

const pathNow = () => location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/'
/** The address of what is shown; behind that of the browser while somebody is asked. */
let shown: { path: string; search: string } | undefined
function here() {
  shown ??= { path: pathNow(), search: location.search }
  return shown
}

function tell() {
  shown = undefined
  for (const listener of [...listeners]) listener()
}

/** The back button: the view stays with its address while somebody is asked. */
function popped() {
  if (stays(pathNow() + location.search)) history.pushState(null, '', BASE + here().path + here().search)
  else tell()
}

function follow(listener: () => void) {
  if (listeners.size === 0) window.addEventListener('popstate', popped)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('popstate', popped)
  }
}

/** The path of the view that is shown, below `/dashboard`: `/matches/12`. */
export const usePath = (): string => useSyncExternalStore(follow, () => here().path)

/** The query of the address; views keep their filters there, so that an address can be shared. */
export const useSearch = (): URLSearchParams => new URLSearchParams(useSyncExternalStore(follow, () => here().search))

/**
 * Asks before the view that is shown is left, also by the back button: `asks` is told where to, and answers whether to stay for now. Ends with
 * the function that it answers.
 */
export function guardLeaving(asks: Guard['asks']): () => void {
  const mine: Guard = { path: here().path, asks }
  guard = mine
  return () => {
    if (guard === mine) guard = undefined
  }
}

/** Shows another view; `replace` leaves no step for the back button. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}) {
  if (stays(to)) return
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + to)
  tell()
}

/** A link to a view: `to` is below `/dashboard`. A press with a modifier does what links do. */
export function Link({ to, onClick, ...rest }: ComponentProps<'a'> & { to: string }) {
  const follows = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!plain || event.defaultPrevented || rest.target) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={BASE + to} onClick={follows} />
}

/** The parameters of a path by a pattern such as `/matches/{matchId}`; undefined when it does not fit. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name) params[name] = decoded(value)
    else if (part !== value) return undefined
  }
  return params
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
