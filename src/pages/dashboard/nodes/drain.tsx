import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import type { ServiceNode } from '../shapes.ts'
import { hostOf } from './names.ts'

/** Asks before a node is emptied, or takes its share again. */
export function Drain({
  node,
  onClose,
  reload,
}: {
  node: ServiceNode
  onClose: () => void
  reload: () => Promise<void>
}) {
  const drained = node.state === 'draining'
  return (
    <Confirm
      open
      onClose={onClose}
      title={drained ? `Undrain ${hostOf(node)}?` : `Drain ${hostOf(node)}?`}
      about={
        drained
          ? 'It takes its share again, within seconds.'
          : 'The other nodes take over what it runs. Pages and renderers that are connected to it stay, and commands go on.'
      }
      label={drained ? 'Undrain the node' : 'Drain the node'}
      look="primary"
      write={async (key) => {
        await api(drained ? 'DELETE' : 'PUT', `/v1/nodes/${node.id}/drain`, { key })
        await reload()
      }}
    />
  )
}
