import './first-hour.css'
import type { ReactNode } from 'react'
import { hereUrl } from '../here-url.ts'
import { Link } from '../router.tsx'
import { opens, useSession } from '../session.tsx'
import type {
  AsRunLog,
  CompetitionList,
  Match,
  MatchList,
  OverlayList,
  PlayerList,
  TeamList,
  ThemeList,
} from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { DeskCode } from './match-desk.tsx'

const EVERY_MS = 5_000
/** An organization with more matches than this has found its way. */
const FEW = 3

/** `action`: where it is made; left out while something before it is lacking. `shown`: below its words until it is done. */
type Step = { title: string; about: ReactNode; done: boolean; to: string; action?: string; shown?: ReactNode }

/** Leads an organization from nothing to its first graphic on air; what is ticked is there. Gone once all is. issue 21.6 */
export function FirstHour() {
  const { scopes } = useSession()
  // whoever cannot make records is not told to
  const mayMake = ['competitions:write', 'teams:write', 'themes:write', 'matches:write', 'overlays:write'].every(
    (scope) => opens(scopes, scope),
  )
  const matches = useResource<MatchList>(mayMake ? '/v1/matches?limit=1&include=o' : undefined, { everyMs: EVERY_MS })
  if (!matches.value || matches.value.total > FEW) return null
  return <Steps match={matches.value.matches[0]} />
}

function Steps({ match }: { match: Match | undefined }) {
  const steps = useSteps(match)
  if (!steps || steps.every(({ done }) => done)) return null
  const left = steps.filter(({ done }) => !done)
  const next = left[0]
  return (
    <section className="panel first-hour" aria-labelledby="first-hour">
      <header className="first-hour-head">
        <h2 className="panel-title" id="first-hour">
          To your first graphic on air
        </h2>
        <p className="panel-about">
          {steps.length - left.length} of {steps.length} done
        </p>
        <progress max={steps.length} value={steps.length - left.length} aria-label="Done" />
      </header>
      <ol className="first-hour-steps">
        {steps.map((step) => (
          <li
            key={step.title}
            className={`first-hour-step ${step.done ? 'first-hour-done' : step.shown ? 'first-hour-tall' : ''}`}
            {...(step === next && { 'aria-current': 'step' as const })}
          >
            <span className="first-hour-tick" aria-hidden="true" />
            <div>
              <h3>
                {step.title}
                {step.done && <span className="visually-hidden">, done</span>}
              </h3>
              <p className="cell-about">{step.about}</p>
              {!step.done && step.shown}
            </div>
            {!step.done && step.action && (
              <Link className={step === next ? 'button button-primary' : 'button'} to={step.to}>
                {step.action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The steps with what is there of each; undefined until all of it was read. */
function useSteps(match: Match | undefined): readonly Step[] | undefined {
  const competitions = useResource<CompetitionList>('/v1/competitions?limit=1', { everyMs: EVERY_MS })
  const teams = useResource<TeamList>('/v1/teams?limit=100', { everyMs: EVERY_MS })
  const players = useResource<PlayerList>('/v1/players?limit=1', { everyMs: EVERY_MS })
  const themes = useResource<ThemeList>('/v2/themes?limit=100', { everyMs: EVERY_MS })
  const overlays = useResource<OverlayList>('/v2/overlays?limit=1', { everyMs: EVERY_MS })
  const shown = useResource<AsRunLog>(match && `/v2/matches/${match.id}/as-run?action=show&limit=1`, {
    everyMs: EVERY_MS,
  })
  if (!competitions.value || !teams.value || !players.value || !themes.value || !overlays.value) return undefined
  if (match && !shown.value) return undefined
  const competition = competitions.value.competitions[0]
  const own = competition ? `/competitions/${competition.id}` : '/competitions'
  const withLogo = teams.value.teams.filter(({ logoUrl }) => logoUrl !== undefined)
  const bare = teams.value.teams.find(({ logoUrl }) => logoUrl === undefined)
  const overlay = overlays.value.overlays[0]
  const isThemed = themes.value.themes.some(({ activeVersion }) => activeVersion !== null)
  return [
    {
      title: 'A competition',
      about: 'With its sport. A friendly needs one, too.',
      done: competition !== undefined,
      ...{ to: '/competitions', action: 'Make a competition' },
    },
    {
      title: 'Two teams with logos and colours',
      about:
        teams.value.total < 2
          ? `Yours and the other one. There ${teams.value.total === 1 ? 'is 1' : 'are none'} yet.`
          : `${Math.min(withLogo.length, 2)} of 2 have a logo.`,
      done: withLogo.length >= 2,
      to: teams.value.total < 2 ? own : `/teams/${bare?.id ?? ''}`,
      action: teams.value.total < 2 ? 'Add the teams' : 'Give them logos',
    },
    {
      title: 'Players',
      about: 'Copy the squad from a spreadsheet and paste it.',
      done: players.value.total > 0,
      to: teams.value.teams[0] ? `/teams/${teams.value.teams[0].id}/import` : own,
      action: 'Paste the players',
    },
    {
      title: 'A theme',
      about: 'The graphics. One comes with the server; your designer’s is dropped on the page.',
      done: isThemed,
      ...{ to: '/themes', action: 'Choose a theme' },
    },
    {
      title: 'A match with its overlay',
      about: 'One form for both; it offers the theme as the look of the competition.',
      done: match !== undefined && overlay !== undefined,
      to: match && !overlay ? `/matches/${match.id}` : '/matches/new',
      action: 'Make the match',
    },
    {
      title: 'The desk on a telephone',
      about: match
        ? 'Whoever is at the pitch scans this: score, clock and facts of the match from there, also without a line.'
        : 'Whoever is at the pitch tells score, clock and facts from there. It comes with the match.',
      // whose match is told from elsewhere needs none
      done: match !== undefined && (typeof match.deskOpenedAt === 'string' || match.state !== 'scheduled'),
      to: `/matches/${match?.id}`,
      ...(match && { action: 'To the match' }),
      shown: match?.deskUrl && (
        <div className="first-hour-code">
          <DeskCode address={hereUrl(match.deskUrl)} />
        </div>
      ),
    },
    {
      title: 'A graphic on air',
      about: overlay
        ? 'Open the control room from the overlay, and press a preset. The overlay’s address goes into OBS, vMix or CasparCG.'
        : 'From the control room, which comes with the overlay.',
      done: shown.value !== undefined && shown.value.total > 0,
      to: overlay ? `/overlays/${overlay.id}` : '/overlays',
      action: 'To the overlay',
    },
  ]
}
