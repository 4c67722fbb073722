import { worded } from '../../../schema/worded.ts'
import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Competition, CompetitionList, ThemeProfileList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { cannotRunWords, useProblems } from './cannot-run.tsx'
import type { GamePlan } from './draft.ts'

/** The game plans of all competitions: one for each of their theme profiles. */
export function PlansView() {
  const { value, error, reload } = useResource<CompetitionList>('/v1/competitions?limit=1000')
  return (
    <>
      <PageHead
        title="Game plans"
        about="What overlays show by themselves: a plan for each way in which a competition looks. It is played by overlays that are automatic"
      />
      {!value && <Waiting error={error} reload={reload} />}
      {value?.competitions.length === 0 && (
        <Empty>There are no competitions yet. One comes with the first match.</Empty>
      )}
      {value?.competitions.map((competition) => (
        <Profiles key={competition.id} competition={competition} />
      ))}
    </>
  )
}

function Profiles({ competition: { id, name, sport } }: { competition: Competition }) {
  const { value, error, reload } = useResource<ThemeProfileList>(`/v2/competitions/${id}/theme-profiles`)
  return (
    <Panel title={name} about={worded(sport)}>
      {!value && <Waiting error={error} reload={reload} />}
      {value?.length === 0 && <p className="cell-about">It has no graphics yet: no profile uses a theme.</p>}
      {value && value.length > 0 && (
        <Table label={`Game plans of ${name}`} columns={['Profile', 'Plan', '']}>
          {value.map((profile) => (
            <tr key={profile.id}>
              <td>
                {profile.name} {profile.isDefault && <Badge tone="good">Default</Badge>}
              </td>
              <td>
                <Count path={`/v2/competitions/${id}/theme-profiles/${profile.id}/game-plan`} />
              </td>
              <td className="cell-actions">
                <Link className="button button-small" to={`/sponsor-slots/${id}/${profile.id}`}>
                  Sponsor slots<span className="visually-hidden"> of {profile.name}</span>
                </Link>
                <Link className="button button-small" to={`/game-plans/${id}/${profile.id}`}>
                  Open<span className="visually-hidden"> the game plan of {profile.name}</span>
                </Link>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  )
}

function Count({ path }: { path: string }) {
  const { value, error } = useResource<GamePlan>(path)
  const cannot = cannotRunWords(useProblems(path).value?.problems ?? [])
  if (!value) return error === undefined ? '…' : '–'
  const on = value.rules.filter(({ enabled }) => enabled).length
  if (value.rules.length === 0) return <span className="cell-about">no rules yet</span>
  const off = value.rules.length - on
  return (
    <>
      {`${on} ${on === 1 ? 'rule' : 'rules'}${off > 0 ? `, ${off} off` : ''}`}
      {cannot !== undefined && <span className="plan-warning cell-about">{cannot}</span>}
    </>
  )
}
