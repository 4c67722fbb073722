import '../grass.css'
import './look.css'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { segmentOf } from '../../ui/graphic-kind.ts'
import { Panel } from '../../ui/panel.tsx'
import { api } from '../api.ts'
import { ColourField } from '../colour-field.tsx'
import { Empty, Failure, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Competition, Preview, Theme, ThemeProfile, ThemeVariable, ThemeVariableList } from '../shapes.ts'
import { fieldsOf, useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'

/** Own values of variables by name; null is the default of the theme. */
type Values = Readonly<Record<string, string | null>>

/** The colours and values of one competition, with the picture that they make beside them. */
export function LookView({ params }: ViewProps) {
  const { competitionId, profileId } = params
  const path = `/v2/competitions/${competitionId}/theme-profiles/${profileId}`
  const competition = useResource<Competition>(`/v1/competitions/${competitionId}`)
  const profile = useResource<ThemeProfile>(path)
  const themeId = profile.value?.themeId
  const theme = useResource<Theme>(themeId === undefined ? undefined : `/v2/themes/${themeId}`)
  const variables = useResource<ThemeVariableList>(
    themeId === undefined ? undefined : `/v2/themes/${themeId}/variables`,
  )
  const all = [competition, profile, theme, variables]
  const back = { to: `/competitions/${competitionId}`, title: competition.value?.name ?? 'Competition' }
  return (
    <>
      <PageHead
        title={profile.value?.name ?? 'Look'}
        back={back}
        about={theme.value && `Colours and values of the theme ${theme.value.name} in this competition`}
      >
        <RoleLimit scope="competitions:write" />
      </PageHead>
      {profile.value && theme.value && variables.value ? (
        <Look
          key={profile.value.id}
          path={path}
          profile={profile.value}
          theme={theme.value}
          variables={variables.value.variables}
          reload={profile.reload}
        />
      ) : (
        <Waiting error={all.find(({ error }) => error !== undefined)?.error} reload={profile.reload} />
      )}
    </>
  )
}

const ownOf = ({ themeVariableValues = [] }: ThemeProfile): Values =>
  Object.fromEntries(themeVariableValues.map(({ variableId, value }) => [variableId, value]))

function Look({
  path,
  profile,
  theme,
  variables,
  reload,
}: {
  path: string
  profile: ThemeProfile
  theme: Theme
  variables: readonly ThemeVariable[]
  reload: () => Promise<void>
}) {
  const mayChange = useMay('competitions:write')
  const own = ownOf(profile)
  const [changes, setChanges] = useState<Values>({})
  const values: Values = { ...own, ...changes }
  const changed = Object.entries(changes).filter(([name, value]) => (own[name] ?? null) !== value)
  const save = useCommand(async (themeVariableValues: readonly object[], key) => {
    await api('PATCH', path, { body: { themeVariableValues, ifUnchangedSince: profile.updatedAt }, key })
    await reload()
    setChanges({})
  })
  const sent = changed.map(([variableId, value]) => ({ variableId, value }))
  const reasons = fieldsOf(save.error)
  const errorOf = (name: string) => reasons[`themeVariableValues[${changed.findIndex(([one]) => one === name)}].value`]
  if (variables.length === 0) return <Empty>The theme has no variables: it looks the same in every competition.</Empty>
  return (
    <div className="look">
      <Panel
        title="Values"
        about="What is empty has the default of the theme. Graphics on air follow when it is saved."
      >
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void save.run(sent)
          }}
        >
          <fieldset className="look-values" disabled={!mayChange}>
            {variables.map((variable) => (
              <ValueField
                key={variable.id}
                variable={variable}
                value={values[variable.name] ?? null}
                error={errorOf(variable.name)}
                onChange={(value) => setChanges((last) => ({ ...last, [variable.name]: value }))}
              />
            ))}
          </fieldset>
          <Failure error={save.error} />
          {mayChange && (
            <div className="form-actions">
              <Button type="submit" look="primary" disabled={save.busy || changed.length === 0}>
                {save.busy ? 'Saving…' : 'Save'}
              </Button>
              {changed.length > 0 && <Button onClick={() => setChanges({})}>Discard</Button>}
            </div>
          )}
        </form>
      </Panel>
      <Picture theme={theme} profileId={profile.id} variables={variables} values={values} />
    </div>
  )
}

const isColour = (variable: ThemeVariable, value: string | null) =>
  /^#[0-9a-f]{3,8}$/i.test(value ?? variable.defaultValue ?? '') || (variable.isStyle && /colou?r/i.test(variable.name))

/** `accentColor` -> `Accent color` */
const titleOf = (name: string) => {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function ValueField({
  variable,
  value,
  error,
  onChange,
}: {
  variable: ThemeVariable
  value: string | null
  error: string | undefined
  onChange: (value: string | null) => void
}) {
  const { name, description, defaultValue, type, enumOptions } = variable
  const options = type === 'boolean' ? ['true', 'false'] : enumOptions
  const hint = [description, value === null ? 'the default' : undefined].filter(Boolean).join(' · ') || undefined
  const change = (text: string) => onChange(text === '' ? null : text)
  return (
    <div className="look-value">
      {options ? (
        <SelectField
          label={titleOf(name)}
          hint={hint}
          error={error}
          value={value ?? ''}
          onChange={({ target }) => change(target.value)}
        >
          <option value="">Default{defaultValue === null ? '' : `: ${defaultValue}`}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </SelectField>
      ) : isColour(variable, value) ? (
        <ColourField
          label={titleOf(name)}
          {...(hint && { hint })}
          error={error}
          required={false}
          value={value ?? defaultValue ?? ''}
          onChange={change}
        />
      ) : (
        <TextField
          label={titleOf(name)}
          hint={hint}
          error={error}
          placeholder={defaultValue ?? ''}
          value={value ?? ''}
          {...(type === 'number' && { inputMode: 'decimal' as const })}
          onChange={({ target }) => change(target.value)}
        />
      )}
      {value !== null && (
        <Button small look="quiet" onClick={() => onChange(null)}>
          Default<span className="visually-hidden"> of {titleOf(name)}</span>
        </Button>
      )}
    </div>
  )
}

/** A graphic of the theme in a match, with the values that are not saved yet. */
function Picture({
  theme,
  profileId,
  variables,
  values,
}: {
  theme: Theme
  profileId: number
  variables: readonly ThemeVariable[]
  values: Values
}) {
  const graphics = theme.graphics.filter(({ publishedVersions }) => publishedVersions.length > 0)
  const [chosen, setChosen] = useState<string>()
  const graphic = graphics.find(({ graphicId }) => graphicId === chosen) ?? graphics[0]
  const mayPreview = useMay('themes:write')
  const { address, error } = useAddress(mayPreview && graphic ? { theme, graphic, profileId } : undefined)
  // a variable without a value has its default, which must be said since the preview knows what is saved
  const shown = Object.fromEntries(
    variables.flatMap(({ name, defaultValue }) => {
      const value = values[name] ?? defaultValue
      return value === null ? [] : [[name, value]]
    }),
  )
  const settled = useSettled(JSON.stringify({ themeVariableValues: shown }))
  return (
    <Panel title="Picture" about="A match of the sport in play, with the values on this page">
      {graphics.length > 1 && (
        <SelectField
          label="Graphic"
          value={graphic?.graphicId ?? ''}
          onChange={({ target }) => setChosen(target.value)}
        >
          {graphics.map(({ graphicId, name }) => (
            <option key={graphicId} value={graphicId}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <div className="grass look-picture">
        {address ? (
          <iframe title={graphic?.name ?? 'Graphic'} src={`${address}#${encodeURIComponent(settled)}`} tabIndex={-1} />
        ) : (
          <p>
            {graphic ? (mayPreview ? 'Drawing…' : 'Your role makes no pictures') : 'The theme has no published graphic'}
          </p>
        )}
      </div>
      <Failure error={error} />
    </Panel>
  )
}

type Looked = { theme: Theme; graphic: Theme['graphics'][number]; profileId: number }

/** Where a graphic is drawn; one address for all values. */
function useAddress(looked: Looked | undefined) {
  const [address, setAddress] = useState<string>()
  const [error, setError] = useState<unknown>()
  const path =
    looked && `/v2/themes/${looked.theme.id}/${segmentOf(looked.graphic.type)}/${looked.graphic.graphicId}/previews`
  const version = looked?.graphic.publishedVersions.at(-1)
  const profileId = looked?.profileId
  useEffect(() => {
    if (path === undefined) return
    let isOver = false
    setAddress(undefined)
    api<Preview>('POST', path, { body: { version, profileId } }).then(
      // by whatever name this page was opened: a frame has to be of the same host
      ({ url }) => !isOver && setAddress(`${new URL(url).pathname}?clean`),
      (failure: unknown) => !isOver && setError(failure),
    )
    return () => {
      isOver = true
    }
  }, [path, version, profileId])
  return { address, error }
}

const SETTLES_MS = 200

/** A value once it has stood for a moment: a colour is dragged through many. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  const timer = useRef<number>(undefined)
  useEffect(() => {
    timer.current = window.setTimeout(() => setSettled(value), SETTLES_MS)
    return () => window.clearTimeout(timer.current)
  }, [value])
  return settled
}
