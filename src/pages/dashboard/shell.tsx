import '../ui/menu.css'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { request } from '../ui/request.ts'
import { api, reach } from './api.ts'
import { PageHead } from './parts.tsx'
import { BASE, Link, matchPath, navigate, usePath } from './router.tsx'
import { sections, viewRoutes } from './routes.tsx'
import { opens, useSession } from './session.tsx'

/** The navigation around the view of the path. */
export function Shell({ onSignedOut }: { onSignedOut: () => void }) {
  const path = usePath()
  const session = useSession()
  const list = useRef<HTMLDivElement>(null)
  const found = viewRoutes.flatMap((entry) => {
    const params = matchPath(entry.path, path)
    return params ? [{ ...entry, params }] : []
  })[0]
  const groups = sections
    .map((group) => ({ ...group, entries: group.entries.filter(({ scope }) => opens(session.scopes, scope)) }))
    .filter(({ entries }) => entries.length > 0)
  const section = found?.section
  // on a small screen the list of views scrolls
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another entry is the current one
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  return (
    <div className="shell">
      <a className="skip" href="#view">
        To the content
      </a>
      <nav className="nav" aria-label="Dashboard">
        <Link className="brand" to="/">
          <span className="brand-lamp" aria-hidden="true" />
          Tally
        </Link>
        <div className="nav-groups" ref={list}>
          {groups.map(({ title, entries }) => (
            <section className="nav-group" key={title} aria-label={title}>
              <h2 className="nav-title">{title}</h2>
              <ul className="nav-list">
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <Link
                      className="nav-link"
                      to={entry.path}
                      {...(found?.section === entry.path && { 'aria-current': 'page' as const })}
                    >
                      {entry.title}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <Person onSignedOut={onSignedOut} />
      </nav>
      <Reach />
      <main className="view" id="view">
        {found ? (
          <found.view key={path} params={found.params} />
        ) : (
          <PageHead title="There is no such page" back={{ to: '/', title: 'Matches' }} />
        )}
      </main>
    </div>
  )
}

const DOCS = [
  { href: '/docs/start', title: 'Getting started' },
  { href: '/docs', title: 'API reference' },
  { href: '/docs/changes', title: 'Change history' },
]

/** The person who is signed in, and the way out. */
function Person({ onSignedOut }: { onSignedOut: () => void }) {
  const { email, role, organization } = useSession()
  const signOut = () =>
    request('POST', `${BASE}/auth/sign-out`, { body: {} }).then(onSignedOut, () =>
      reach.dispatchEvent(new Event('lost')),
    )
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="person">
        <span className="person-organization">{organization.name}</span>
        <span className="person-email">{email}</span>
        <span className="visually-hidden">, account and help</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={8} collisionPadding={8}>
          <DropdownMenu.Label className="menu-label">Signed in as {role}</DropdownMenu.Label>
          <DropdownMenu.Item className="menu-item" onSelect={() => navigate('/account')}>
            Account and password
          </DropdownMenu.Item>
          {DOCS.map(({ href, title }) => (
            <DropdownMenu.Item className="menu-item" key={href} asChild>
              <a href={href} target="_blank" rel="noreferrer">
                {title}
              </a>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => void signOut()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const AGAIN_MS = 3_000

/** Says that the server is out of reach, for as long as it is. */
function Reach() {
  const [lost, setLost] = useState(false)
  useEffect(() => {
    const says = ({ type }: Event) => setLost(type === 'lost')
    for (const name of ['lost', 'reached']) reach.addEventListener(name, says)
    return () => {
      for (const name of ['lost', 'reached']) reach.removeEventListener(name, says)
    }
  }, [])
  useEffect(() => {
    if (!lost) return
    // any answer is told to `reach`
    const timer = window.setInterval(() => void api('GET', '/v1/me').catch(() => {}), AGAIN_MS)
    return () => window.clearInterval(timer)
  }, [lost])
  return (
    <div className="reach" role="status">
      {lost && <p>The server cannot be reached. What you see may be out of date; graphics on air stay on air.</p>}
    </div>
  )
}
