import './nodes.css'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { NodeList, ServiceNode, Takeover } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

const EVERY_MS = 2_000
const SLOTS = 256

const STATES = {
  live: { tone: 'good', title: 'Live', about: undefined },
  draining: { tone: 'pending', title: 'Draining', about: 'serves on, owns nothing' },
  dead: { tone: 'bad', title: 'Dead', about: 'the others took over' },
} as const

const WHY: Readonly<Record<string, string>> = {
  expired: 'It was lost: killed, frozen or without the database',
  join: 'A node was added, or came back',
  drain: 'It was drained',
  leave: 'It was stopped',
  'cut off': 'The other nodes could not reach it',
}

/** The processes that serve together, and what moved from one to another within a day. */
export function NodesView() {
  const list = useResource<NodeList>('/v1/nodes', { everyMs: EVERY_MS })
  const [asked, setAsked] = useState<ServiceNode>()
  return (
    <>
      <PageHead
        title="Nodes"
        about="The servers that work as one. When one is lost, the others take over what it ran."
      />
      {list.value ? (
        <>
          <Summary {...list.value} />
          {list.value.nodes.length > 0 && <Nodes {...list.value} onAsk={setAsked} />}
          {list.value.nodes.length > 0 && <Takeovers {...list.value} />}
        </>
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {asked && <Drain node={asked} onClose={() => setAsked(undefined)} reload={list.reload} />}
    </>
  )
}

function Summary({ alone, nodes }: NodeList) {
  if (alone)
    return (
      <div className="notice">
        <p>
          <b>This server is alone.</b> It runs everything itself, and nothing takes over when it is lost.{' '}
          <a href="/docs/several-machines" target="_blank" rel="noreferrer">
            How to run several
          </a>
        </p>
      </div>
    )
  const live = nodes.filter(({ state }) => state === 'live').length
  const owned = nodes.reduce((sum, { slots }) => sum + slots, 0)
  const facts = [
    { title: 'Live', value: `${live} of ${nodes.length}`, tone: live === nodes.length ? 'good' : 'pending' },
    {
      title: 'Everything has an owner',
      value: owned >= SLOTS ? 'Yes' : `${Math.round((owned / SLOTS) * 100)} %`,
      tone: owned >= SLOTS ? 'good' : 'bad',
    },
    { title: 'Renderers', value: String(sumOf(nodes, 'renderers')) },
    { title: 'Control rooms and followers', value: String(sumOf(nodes, 'followers')) },
  ]
  return (
    <dl className="nodes-facts">
      {facts.map(({ title, value, tone }) => (
        <div key={title} className="nodes-fact" data-tone={tone}>
          <dt>{title}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const sumOf = (nodes: readonly ServiceNode[], of: 'renderers' | 'followers') =>
  nodes.reduce((sum, node) => sum + (node.state === 'dead' ? 0 : node[of]), 0)

function Nodes({ nodes, at, onAsk }: NodeList & { onAsk: (node: ServiceNode) => void }) {
  return (
    <div className="nodes-table">
      <Table label="Nodes" columns={['Node', 'State', 'Share', 'Awake', 'Renderers', 'Followers', 'Last beat', '']}>
        {nodes.map((node) => (
          <Row key={node.id} node={node} at={at} nodes={nodes} onAsk={onAsk} />
        ))}
      </Table>
    </div>
  )
}

type RowProps = { node: ServiceNode; at: string; nodes: readonly ServiceNode[]; onAsk: (node: ServiceNode) => void }

function Row({ node, at, nodes, onAsk }: RowProps) {
  const mayChange = useMay('nodes:write')
  const { tone, title, about } = STATES[node.state]
  const others = nodes.some(({ id, state }) => id !== node.id && state === 'live')
  return (
    <tr>
      <td>
        <b className="mono">{node.id}</b>
        <p className="cell-about">
          {node.url.replace(/^tls:\/\//, '')} · {node.version}
        </p>
      </td>
      <td>
        <Badge tone={tone}>{title}</Badge>
        {about && <p className="cell-about">{about}</p>}
      </td>
      <td>
        <span className="nodes-share">
          <span className="nodes-share-bar" aria-hidden="true">
            <span style={{ width: `${(node.slots / SLOTS) * 100}%` }} />
          </span>
          <span className="tabular">{Math.round((node.slots / SLOTS) * 100)} %</span>
        </span>
      </td>
      <td className="tabular">{node.actors}</td>
      <td className="tabular">{node.renderers}</td>
      <td className="tabular">{node.followers}</td>
      <td className="tabular">{agoOf(node.beatAt, at)}</td>
      <td className="cell-actions">
        {mayChange && node.state !== 'dead' && (node.state === 'draining' || others) && (
          <Button small onClick={() => onAsk(node)}>
            {node.state === 'draining' ? 'Undrain' : 'Drain'}
          </Button>
        )}
      </td>
    </tr>
  )
}

/** By the clock of the server, of which both are. */
function agoOf(moment: string, now: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(moment)) / 1_000))
  if (seconds < 2) return 'now'
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3_600)} h ago`
}

function Takeovers({ takeovers }: { takeovers: readonly Takeover[] }) {
  return (
    <Panel title="Takeovers of the last day" about="What moved from one node to another, and why. The newest is first.">
      {takeovers.length === 0 ? (
        <Empty>Nothing moved.</Empty>
      ) : (
        <Table label="Takeovers" columns={['When', 'Why', 'From', 'To', 'Share']}>
          {takeovers.map((one) => (
            <tr key={`${one.at} ${one.from} ${one.to} ${one.reason}`}>
              <td>
                <Moment at={one.at} seconds />
              </td>
              <td>{WHY[one.reason] ?? one.reason}</td>
              <td className="mono">{one.from}</td>
              <td className="mono">{one.to}</td>
              <td className="tabular">{Math.round((one.slots / SLOTS) * 100)} %</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  )
}

function Drain({ node, onClose, reload }: { node: ServiceNode; onClose: () => void; reload: () => Promise<void> }) {
  const drained = node.state === 'draining'
  return (
    <Confirm
      open
      onClose={onClose}
      title={drained ? `Undrain ${node.id}?` : `Drain ${node.id}?`}
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
