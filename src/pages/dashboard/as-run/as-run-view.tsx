import './as-run.css'
import { Tabs } from '../../ui/tabs.tsx'
import { FilterSelect } from '../filter-fields.tsx'
import { matchName, useMatches } from '../match-names.ts'
import { Empty, PageHead } from '../parts.tsx'
import type { Overlay, OverlayList } from '../shapes.ts'
import { type Filters, useFilters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { AsRunLog } from './as-run-log.tsx'
import { ProofOfPlay } from './proof-of-play.tsx'
import { ReplayButton } from './replay-button.tsx'
import { usePresets } from './use-presets.ts'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** The graphics on air at a match or on one overlay: command by command, and in seconds. */
export function AsRunView() {
  const filters = useFilters()
  const matches = useMatches()
  const overlayId = filters.get('overlay')
  const overlay = useResource<Overlay>(overlayId && !filters.get('match') ? `/v2/overlays/${overlayId}` : undefined)
  const chosen = filters.get('match') || String(overlay.value?.matchId ?? '')
  const overlays = useResource<OverlayList>(chosen ? `/v2/overlays?limit=1000&matchId=${chosen}` : undefined)
  const source = overlayId ? `/v2/overlays/${overlayId}` : chosen && `/v2/matches/${chosen}`
  const listed = overlays.value?.overlays ?? []
  const presets = usePresets(listed)
  const [only, another] = listed
  const played = overlayId || (only && !another ? String(only.id) : undefined)
  return (
    <>
      <PageHead title="As-run" about="What was on air: who put it there, when, and when renderers had it on screen.">
        {played && <ReplayButton key={played} overlayId={played} from={filters.get('from')} to={filters.get('to')} />}
      </PageHead>
      <div className="filters filters-wide">
        <FilterMatch filters={filters} matches={matches} chosen={chosen} />
        <FilterSelect
          filters={filters}
          name="overlay"
          label="Overlay"
          all="Every overlay of the match"
          options={listed.map(({ id, name }) => [String(id), name])}
        />
      </div>
      {source ? (
        <Tabs
          label="How it is told"
          selected={filters.get('show') || 'log'}
          onSelect={(show) => filters.set({ show })}
          tabs={[
            { id: 'log', title: 'Log', content: <AsRunLog source={source} filters={filters} presets={presets} /> },
            { id: 'proof', title: 'Proof of play', content: <ProofOfPlay source={source} filters={filters} /> },
          ]}
        />
      ) : (
        <Empty>Choose a match to see what was on air.</Empty>
      )}
    </>
  )
}

type Matches = ReturnType<typeof useMatches>

function FilterMatch({ filters, matches, chosen }: { filters: Filters; matches: Matches; chosen: string }) {
  const forget = { overlay: '', graphicId: '', presetId: '', brand: '' }
  const own: Filters = {
    ...filters,
    get: () => chosen,
    set: (changes: Readonly<Record<string, string>>) => filters.set({ ...forget, ...changes }),
  }
  return (
    <FilterSelect
      filters={own}
      name="match"
      label="Match"
      all="Choose a match"
      options={[...matches.values()].map((match) => [
        String(match.id),
        `${matchName(match)}, ${day.format(new Date(match.date))}`,
      ])}
    />
  )
}
