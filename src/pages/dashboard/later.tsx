import { type ComponentType, lazy, Suspense } from 'react'
import { Waiting } from './parts.tsx'
import type { ViewProps } from './view.ts'

/** A view that few open: its script is loaded when it is shown, and weighs on no other. */
export function later(load: () => Promise<ComponentType<ViewProps>>): ComponentType<ViewProps> {
  const View = lazy(() => load().then((view) => ({ default: view }), whenLost))
  return (props) => (
    <Suspense fallback={<Waiting error={undefined} />}>
      <View {...props} />
    </Suspense>
  )
}

/** Out of reach, or of a version that the server has no more. */
const whenLost = (error: unknown) => ({
  default: () => <Waiting error={error} reload={() => location.reload()} />,
})
