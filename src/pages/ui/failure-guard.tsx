import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'

/** Instead of an empty page when a part of it fails: graphics on air are not touched by that, and a reload shows the page again. */
export class FailureGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="failed" role="alert">
        <h1>This page has failed</h1>
        <p>What is on air stays as it is. Reload the page to go on.</p>
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </main>
    )
  }
}
