import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { FilterSelect } from '../filter-fields.tsx'
import { Empty, Waiting } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Brand, Competition, CompetitionList, SponsorSlots, ThemeProfile, ThemeProfileList } from '../shapes.ts'
import { partWords } from '../sponsor-slots/draft.ts'
import type { Filters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'

type Props = { brands: readonly Brand[]; filters: Filters }

/** The sponsor slots of every competition, or only those of one brand. */
export function SlotsTab({ brands, filters }: Props) {
  const { value, error, reload } = useResource<CompetitionList>('/v1/competitions?limit=1000')
  if (!value) return <Waiting error={error} reload={reload} />
  if (value.competitions.length === 0)
    return <Empty>There are no competitions yet. One comes with the first match.</Empty>
  const only = Number(filters.get('brand')) || undefined
  return (
    <>
      <div className="filters">
        <FilterSelect
          filters={filters}
          name="brand"
          label="Brand"
          all="Every brand"
          options={brands.map(({ id, name }) => [String(id), name])}
        />
      </div>
      {value.competitions.map((competition) => (
        <OfCompetition key={competition.id} competition={competition} brands={brands} only={only} />
      ))}
    </>
  )
}

type About = { brands: readonly Brand[]; only: number | undefined }

function OfCompetition({ competition: { id, name }, ...about }: { competition: Competition } & About) {
  const { value, error, reload } = useResource<ThemeProfileList>(`/v2/competitions/${id}/theme-profiles`)
  return (
    <Panel title={name}>
      {!value && <Waiting error={error} reload={reload} />}
      {value?.length === 0 && <p className="cell-about">It has no graphics yet: no profile uses a theme.</p>}
      {value && value.length > 0 && (
        <Table label={`Sponsor slots of ${name}`} columns={['Profile', 'Slots', '']}>
          {value.map((profile) => (
            <OfProfile key={profile.id} competitionId={id} profile={profile} {...about} />
          ))}
        </Table>
      )}
    </Panel>
  )
}

function OfProfile({ competitionId, profile, brands, only }: { competitionId: number; profile: ThemeProfile } & About) {
  const { value } = useResource<SponsorSlots>(
    `/v2/competitions/${competitionId}/theme-profiles/${profile.id}/sponsor-slots`,
  )
  const slots = value?.slots.filter((slot) => only === undefined || slot.brands.some(({ brandId }) => brandId === only))
  const nameOf = (brandId: number) => brands.find(({ id }) => id === brandId)?.name ?? `Brand ${brandId}`
  return (
    <tr>
      <td>{profile.name}</td>
      <td className="cell-wrap">
        {slots?.length === 0 && (
          <span className="cell-about">{only === undefined ? 'no slots yet' : 'in none of its slots'}</span>
        )}
        <ul className="slot-lines">
          {slots?.map((slot) => (
            <li key={slot.id}>
              <b>{slot.name}</b>{' '}
              <span className="cell-about">
                {slot.brands.map(({ brandId }) => `${nameOf(brandId)} ${partWords(slot, brandId)}`).join(', ') ||
                  'no brand'}
              </span>
            </li>
          ))}
        </ul>
      </td>
      <td className="cell-actions">
        <Link className="button button-small" to={`/sponsor-slots/${competitionId}/${profile.id}`}>
          Open<span className="visually-hidden"> the sponsor slots of {profile.name}</span>
        </Link>
      </td>
    </tr>
  )
}
