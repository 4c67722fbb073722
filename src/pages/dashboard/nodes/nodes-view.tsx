import './nodes.css'
import { useState } from 'react'
import { Moment } from '../../ui/moment.tsx'
import { wordsOf } from '../api.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { NodeList, ServiceNode } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { Drain } from './drain.tsx'
import { NodesTable, SLOTS } from './nodes-table.tsx'
import { Takeovers } from './takeovers.tsx'

const EVERY_MS = 2_000

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
          {list.error !== undefined && <Outdated at={list.value.at} error={list.error} />}
          <Summary {...list.value} />
          {list.value.nodes.length > 0 && (
            <>
              <Versions {...list.value} />
              <NodesTable {...list.value} onAsk={setAsked} />
              <HowToDrain {...list.value} />
              <Takeovers {...list.value} />
            </>
          )}
        </>
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
      {asked && <Drain node={asked} onClose={() => setAsked(undefined)} reload={list.reload} />}
    </>
  )
}

/** Lamps that lie are worse than none. */
const Outdated = ({ at, error }: { at: string; error: unknown }) => (
  <div className="notice notice-bad" role="alert">
    <p>
      <b>
        This is how it was at <Moment at={at} seconds />.
      </b>{' '}
      {wordsOf(error)}
    </p>
  </div>
)

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
  const living = nodes.filter(({ state }) => state !== 'dead')
  const live = living.filter(({ state }) => state === 'live').length
  const owned = nodes.reduce((sum, { slots }) => sum + slots, 0)
  const facts = [
    {
      title: 'Live',
      value: `${live} of ${nodes.length}`,
      // with one nothing can take over
      tone: live < 2 && nodes.length > 1 ? 'bad' : live < 2 || live < nodes.length ? 'pending' : 'good',
    },
    {
      title: 'Everything has an owner',
      value: owned >= SLOTS ? 'Yes' : `${Math.floor((owned / SLOTS) * 100)} %`,
      tone: owned >= SLOTS ? 'good' : 'bad',
    },
    { title: 'Renderers', value: String(sumOf(living, 'renderers')) },
    { title: 'Control rooms and followers', value: String(sumOf(living, 'followers')) },
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
  nodes.reduce((sum, node) => sum + node[of], 0)

/** While an update is under way that is as it should be; later it was forgotten on a machine. */
function Versions({ nodes }: NodeList) {
  const versions = [...new Set(nodes.filter(({ state }) => state !== 'dead').map(({ version }) => version))]
  if (versions.length < 2) return null
  return (
    <div className="notice">
      <p>
        <b>Nodes run different versions:</b> {versions.sort().join(', ')}.
      </p>
    </div>
  )
}

function HowToDrain({ drainable, alone }: NodeList) {
  if (!useMay('nodes:write') || drainable || alone) return null
  return (
    <p className="nodes-hint">
      Several organizations share these nodes, so they are drained from a shell on one of the machines:{' '}
      <code>npm run -s admin -- nodes drain --id ID</code>
    </p>
  )
}
