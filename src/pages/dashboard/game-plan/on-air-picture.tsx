import { useEffect, useRef, useState } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { hereUrl } from '../here-url.ts'
import type { Preview, ThemeProfile } from '../shapes.ts'
import { canonical, type Draft } from './draft.ts'
import { type Bar, matchTime, valuesAt } from './lanes.ts'
import type { PlanPlace } from './rule-form.tsx'
import type { Stage } from './use-simulation.ts'

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
  const addressOf = usePreviews()
  const scenarioId = stage?.startsWith('scenario:') ? stage.slice('scenario:'.length) : undefined
  const shown = bars.flatMap((bar) => {
    const asked = previewOf(bar, { atMs, moment, scenarioId, place, profile, rules })
    return asked ? [{ bar, ...asked }] : []
  })
  return (
    <Panel
      title={`On air at ${matchTime(atMs)}`}
      about={bars.length === 0 ? 'Nothing' : bars.map(({ name }) => name).join(', ')}
    >
      <div className="try-picture">
        {shown.map(({ bar, path, body }) => (
          <Graphic key={bar.layer} title={bar.graphicName ?? bar.name} address={addressOf(path, body)} />
        ))}
        {shown.length === 0 && <p>{bars.length === 0 ? 'Nothing on air' : 'No picture of this'}</p>}
      </div>
      {scenarioId === undefined && shown.length > 0 && (
        <p className="field-hint">Drawn with a made-up match of the sport, not with the score of this one.</p>
      )}
    </Panel>
  )
}

type Around = Pick<Props, 'atMs' | 'moment' | 'place' | 'profile' | 'rules'> & { scenarioId: string | undefined }

/** The preview that shows what is on air; undefined when the graphic is not to be had. */
function previewOf(bar: Bar, { atMs, moment, scenarioId, place, profile, rules }: Around) {
  const presetId = rules.find(({ id }) => id === bar.ruleId)?.presetId ?? null
  const preset = presetId === null ? undefined : place.presets.find(presetId)
  const graphic = place.graphics?.find(({ graphicId }) => graphicId === preset?.graphicId)
  if (!preset || !graphic) return undefined
  const own = Object.entries(valuesAt(bar, atMs) ?? {}).filter(([, value]) => typeof value !== 'object')
  return {
    path: `/v2/themes/${place.themeId}/${graphic.type === 'rive' ? 'motion-graphics' : 'code-graphics'}/${graphic.graphicId}/previews`,
    body: {
      version: graphic.version,
      variableValues: { ...preset.variableValues, ...Object.fromEntries(own) },
      profileId: profile.id,
      ...(scenarioId !== undefined && { scenarioId, ...(moment !== undefined && { at: moment }) }),
    },
  }
}

/** Asks for the address of a preview once. */
function usePreviews() {
  const known = useRef(new Map<string, Promise<string>>())
  return (path: string, body: object): Promise<string> => {
    const key = `${path} ${canonical(body)}`
    const address =
      known.current.get(key) ?? api<Preview>('POST', path, { body }).then(({ url }) => `${hereUrl(url)}?clean`)
    known.current.set(key, address)
    address.catch(() => known.current.delete(key))
    return address
  }
}

function Graphic({ title, address }: { title: string; address: Promise<string> }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let isOver = false
    address.then(
      (found) => !isOver && setUrl(found),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [address])
  return url === undefined ? null : <iframe className="try-graphic" title={title} src={url} tabIndex={-1} />
}
