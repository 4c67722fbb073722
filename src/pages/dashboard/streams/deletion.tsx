import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { navigate } from '../router.tsx'
import type { Stream } from '../shapes.ts'

/** Takes a stream away that stands still. */
export function Deletion({ stream }: { stream: Stream }) {
  const [asking, setAsking] = useState(false)
  const stopped = stream.state === 'idle' || stream.state === 'error'
  return (
    <Panel title="Delete">
      <Button disabled={!stopped} onClick={() => setAsking(true)}>
        Delete the stream…
      </Button>
      {!stopped && <p className="field-hint">It is stopped first.</p>}
      <Confirm
        open={asking}
        title={`Delete ${stream.name}?`}
        about="Its destinations go with it. Its input stays, with the same key, for another stream."
        label="Delete the stream"
        onClose={() => setAsking(false)}
        write={async (key) => {
          await api('DELETE', `/v1/streams/${stream.id}`, { key })
          navigate('/streams', { replace: true })
        }}
      />
    </Panel>
  )
}
