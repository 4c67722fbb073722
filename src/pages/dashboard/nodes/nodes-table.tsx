import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { useMay } from '../session.tsx'
import type { NodeList, ServiceNode } from '../shapes.ts'
import { hostOf } from './names.ts'

/** All that runs is shared into so many. */
export const SLOTS = 256

const STATES = {
  live: { tone: 'good', title: 'Live', order: 0 },
  draining: { tone: 'pending', title: 'Draining', order: 1 },
  dead: { tone: 'bad', title: 'Dead', order: 2 },
} as const

function about({ state, slots }: ServiceNode, nodes: readonly ServiceNode[]): string | undefined {
  if (state === 'live') return undefined
  if (state === 'draining') return slots > 0 ? 'hands over what it owns' : 'serves on, owns nothing'
  const owned = nodes.reduce((sum, node) => sum + (node.state === 'dead' ? 0 : node.slots), 0)
  return owned < SLOTS ? 'the others are taking over' : 'the others took over'
}

type TableProps = NodeList & { onAsk: (node: ServiceNode) => void }

/** Each node, the living first; a dead one is forgotten after a day. */
export function NodesTable({ nodes, at, drainable, onAsk }: TableProps) {
  const sorted = [...nodes].sort((one, other) => STATES[one.state].order - STATES[other.state].order)
  return (
    <div className="nodes-table">
      <Table label="Nodes" columns={['Node', 'State', 'Share', 'Awake', 'Renderers', 'Followers', 'Last beat', '']}>
        {sorted.map((node) => (
          <Row key={node.id} {...{ node, at, drainable, nodes, onAsk }} />
        ))}
      </Table>
    </div>
  )
}

type RowProps = Pick<TableProps, 'at' | 'drainable' | 'nodes' | 'onAsk'> & { node: ServiceNode }

function Row({ node, at, nodes, drainable, onAsk }: RowProps) {
  const mayChange = useMay('nodes:write') && drainable
  const { tone, title } = STATES[node.state]
  const others = nodes.some(({ id, state }) => id !== node.id && state === 'live')
  const isDead = node.state === 'dead'
  // what it said last is not so any more
  const count = (value: number) => <td className="tabular">{isDead ? '–' : value}</td>
  return (
    <tr data-state={node.state}>
      <td>
        <b>{hostOf(node)}</b>
        <p className="cell-about">
          <span className="mono">{node.id}</span> · {node.version}
        </p>
      </td>
      <td>
        <Badge tone={tone}>{title}</Badge>
        <p className="cell-about">{about(node, nodes)}</p>
      </td>
      <td>
        <span className="nodes-share">
          <span className="nodes-share-bar" aria-hidden="true">
            <span style={{ width: `${(node.slots / SLOTS) * 100}%` }} />
          </span>
          <span className="tabular">{Math.round((node.slots / SLOTS) * 100)} %</span>
        </span>
      </td>
      {count(node.actors)}
      {count(node.renderers)}
      {count(node.followers)}
      <td className="tabular">
        {agoOf(node.beatAt, at)}
        {!isDead && <p className="cell-about">up {lengthOf(secondsBetween(node.startedAt, at))}</p>}
      </td>
      <td className="cell-actions">
        {mayChange && !isDead && (node.state === 'draining' || others) && (
          <Button small onClick={() => onAsk(node)}>
            {node.state === 'draining' ? 'Undrain' : 'Drain'}
          </Button>
        )}
      </td>
    </tr>
  )
}

/** By the time of the server, of which both are. */
const secondsBetween = (from: string, to: string) =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000))

function agoOf(moment: string, now: string): string {
  const seconds = secondsBetween(moment, now)
  return seconds < 2 ? 'now' : `${lengthOf(seconds)} ago`
}

function lengthOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
}
