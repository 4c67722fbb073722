import './base.css'
import './controls.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { FailureGuard } from './failure-guard.tsx'

/** Starts a page. Components that add style sheets of their own find the page's nonce by `__webpack_nonce__`. */
export function mount(page: ReactNode) {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce })
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <FailureGuard>{page}</FailureGuard>
    </StrictMode>,
  )
}
