import { Facts } from '../../ui/panel.tsx'
import { restUrl } from '../api.ts'
import { FilterSelect } from '../filter-fields.tsx'
import { Empty, Waiting } from '../parts.tsx'
import type { ProofOfPlay } from '../shapes.ts'
import type { Filters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { SlotPanels } from './slot-panels.tsx'

type Competitions = { competitions: { id: number; name: string }[] }

/** The sponsor slots of a competition over all its matches. */
export function Delivery({ filters }: { filters: Filters }) {
  const competitions = useResource<Competitions>('/v1/competitions?limit=1000').value?.competitions ?? []
  const [only, another] = competitions
  const chosen = filters.get('competition') || (only && !another ? String(only.id) : '')
  const path = `/v2/competitions/${chosen}/proof-of-play`
  const proof = useResource<ProofOfPlay>(chosen ? `${path}?limit=1` : undefined)
  return (
    <>
      <div className="filters">
        <FilterSelect
          filters={{ ...filters, get: () => chosen }}
          name="competition"
          label="Competition"
          all="Choose a competition"
          options={competitions.map(({ id, name }) => [String(id), name])}
        />
      </div>
      {!chosen && (
        <Empty>Choose a competition to see what its sponsors were promised, and what was seen of them.</Empty>
      )}
      {chosen && !proof.value && <Waiting error={proof.error} reload={proof.reload} />}
      {chosen && proof.value && (
        <>
          <div className="panel">
            <Facts
              facts={[
                ['Overlays', proof.value.overlays.length],
                ['Plays', proof.value.total],
                ['Sponsor slots', proof.value.slots.length],
              ]}
            />
          </div>
          {proof.value.slots.length === 0 && (
            <Empty>The theme profiles of this competition have no sponsor slots.</Empty>
          )}
          <SlotPanels slots={proof.value.slots} csv={restUrl(`${path}?format=csv&rows=slots`)} />
        </>
      )}
    </>
  )
}
