import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty } from '../parts.tsx'
import type { NodeList } from '../shapes.ts'
import { movesOf } from './moves.ts'
import { hostOf } from './names.ts'
import { SLOTS } from './nodes-table.tsx'

const WHY: Readonly<Record<string, string>> = {
  expired: 'It was lost: killed, frozen or without the database',
  join: 'A node was added, or came back',
  drain: 'It was drained',
  leave: 'It was stopped',
  'cut off': 'The other nodes could not reach it',
}
const AT_FIRST = 20

/** Actors that moved from node to node within a day. */
export function Takeovers({ takeovers, nodes }: NodeList) {
  const [all, setAll] = useState(false)
  const moves = movesOf(takeovers)
  const hosts = new Map(nodes.map((node) => [node.id, hostOf(node)]))
  const nameOf = (id: string) => hosts.get(id) ?? <span className="mono">{id}</span>
  const shown = all ? moves : moves.slice(0, AT_FIRST)
  return (
    <Panel title="Takeovers of the last day" about="What moved from one node to others, and why. The newest is first.">
      {moves.length === 0 ? (
        <Empty>Nothing moved.</Empty>
      ) : (
        <Table label="Takeovers" columns={['When', 'Why', 'From', 'To', 'Share']}>
          {shown.map(({ at, from, reason, to, slots }) => (
            <tr key={`${at} ${from} ${reason}`} data-why={reason}>
              <td>
                <Moment at={at} seconds />
              </td>
              <td>{WHY[reason] ?? reason}</td>
              <td>{nameOf(from)}</td>
              <td>
                {to.map((id) => (
                  <p key={id}>{nameOf(id)}</p>
                ))}
              </td>
              <td className="tabular">{Math.round((slots / SLOTS) * 100)} %</td>
            </tr>
          ))}
        </Table>
      )}
      {moves.length > shown.length && (
        <Button small onClick={() => setAll(true)}>
          Show all {moves.length}
        </Button>
      )}
    </Panel>
  )
}
