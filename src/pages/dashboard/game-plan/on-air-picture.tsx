import '../grass.css'
import { useCallback, useEffect, useRef, useState } from 'react'
import { segmentOf } from '../../ui/graphic-kind.ts'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import type { Preview, ThemeProfile } from '../shapes.ts'
import type { Draft } from './draft.ts'
import { type Bar, matchTime, valuesAt } from './lanes.ts'
import type { PlanPlace } from './rule-form.tsx'
import { playedOn, type Stage } from './use-simulation.ts'

const AGAIN_MS = 2_000

type Props = {
  bars: readonly (Bar & { layer: string })[]
  atMs: number
  /** The moment of the match that is played, ISO 8601. */
  moment: string | undefined
  place: PlanPlace
  profile: ThemeProfile
  rules: readonly Draft[]
  stage: Stage | undefined
}

/** The graphics that are on air at a moment, as they look. */
export function OnAirPicture({ bars, atMs, moment, place, profile, rules, stage }: Props) {
  const { addresses, ask, failed } = usePreviews(profile.id)
  const played = stage === undefined ? undefined : playedOn(stage)
  const shown = bars.flatMap((bar) => {
    const picture = pictureOf(bar, { atMs, moment, played, place, rules })
    return picture ? [{ bar, ...picture }] : []
  })
  const wanted = JSON.stringify(shown.map(({ path, body }) => ({ path, body })))
  useEffect(() => {
    const askAll = () => {
      for (const { path, body } of JSON.parse(wanted)) ask(path, body)
    }
    const timer = window.setTimeout(askAll, failed > 0 ? AGAIN_MS : 0)
    return () => window.clearTimeout(timer)
  }, [wanted, ask, failed])
  return (
    <Panel
      title={`On air at ${matchTime(atMs)}`}
      about={bars.length === 0 ? 'Nothing' : bars.map(({ name }) => name).join(', ')}
    >
      <div className="grass">
        {shown.map(({ bar, path, body, asked }) => {
          const address = addresses[keyOf(path, body)]
          return (
            address !== undefined && (
              <iframe
                key={`${bar.layer} ${keyOf(path, body)}`}
                title={bar.graphicName ?? bar.name}
                src={`${address}#${encodeURIComponent(JSON.stringify(asked))}`}
                tabIndex={-1}
              />
            )
          )
        })}
        {shown.length === 0 && <p>{bars.length === 0 ? 'Nothing on air' : 'No picture of this'}</p>}
      </div>
    </Panel>
  )
}

type Around = Pick<Props, 'atMs' | 'moment' | 'place' | 'rules'> & { played: ReturnType<typeof playedOn> | undefined }

/** Where the preview of a graphic is made, and what it is to show; undefined when the graphic is not to be had. */
function pictureOf(bar: Bar, { atMs, moment, played, place, rules }: Around) {
  const presetId = rules.find(({ id }) => id === bar.ruleId)?.presetId ?? null
  const preset = presetId === null ? undefined : place.presets.find(presetId)
  const graphic = place.graphics?.find(({ graphicId }) => graphicId === preset?.graphicId)
  if (!preset || !graphic) return undefined
  const matchId = played && 'matchId' in played ? played.matchId : undefined
  const scenarioId = played && 'scenarioId' in played ? played.scenarioId : undefined
  const kind = segmentOf(graphic.type)
  return {
    path: `/v2/themes/${place.themeId}/${kind}/${graphic.graphicId}/previews`,
    // one address for all scenarios, and one for each match
    body: { version: graphic.version, ...(matchId !== undefined && { matchId }) },
    asked: {
      variableValues: { ...preset.variableValues, ...valuesAt(bar, atMs) },
      at: moment,
      ...(scenarioId !== undefined && { scenarioId }),
    },
  }
}

type Asked = { version: number; matchId?: number }

const keyOf = (path: string, { version, matchId }: Asked) => `${path} ${version} ${matchId ?? ''}`

/** The addresses of previews that were asked for; one a graphic and match, whatever it shows. */
function usePreviews(profileId: number) {
  const asked = useRef(new Set<string>())
  /** How often it went wrong; what is to be seen is asked for again a moment later. */
  const [failed, setFailed] = useState(0)
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({})
  const ask = useCallback(
    (path: string, body: Asked) => {
      const key = keyOf(path, body)
      if (asked.current.has(key)) return
      asked.current.add(key)
      api<Preview>('POST', path, { body: { ...body, profileId } }).then(
        // by whatever name this page was opened: a frame has to be of the same host
        ({ url }) => setAddresses((last) => ({ ...last, [key]: `${new URL(url).pathname}?clean` })),
        () => {
          asked.current.delete(key)
          setFailed((last) => last + 1)
        },
      )
    },
    [profileId],
  )
  return { addresses, ask, failed }
}
