import { type Asked, type Frame, Gone, type Info, readFrame, type Value } from './api.ts'
import { byId, node } from './dom.ts'
import { themeField, variableField } from './fields.ts'
import { Program } from './program.ts'
import { showScenarios } from './scenarios.ts'
import { changedBy, withoutNulls } from './values.ts'

const AS_TYPED_MS = 220

/** Everything around the picture. */
export function openDesk(info: Info) {
  const { settings } = info
  let asked: Asked = { ...settings, variableValues: withoutNulls(settings.variableValues) }
  const picture = byId('picture', HTMLElement)
  const status = byId('status', HTMLElement)
  let drawn = ''
  let latest = 0
  let typing = 0

  const say = (text: string, kind: '' | 'problem' | 'air' = '') => {
    status.textContent = text
    status.className = kind
  }
  const program = new Program(picture, {
    painted: () => {
      if (status.className !== 'problem')
        say(program.onAir ? `On air: ${nameOf()}` : 'Off air', program.onAir ? 'air' : '')
    },
    problem: (reason) =>
      say(
        reason.startsWith('no READY') ? `The graphic does not answer: ${reason}` : `The graphic reports: ${reason}`,
        'problem',
      ),
  })
  const nameOf = () => info.scenarios.find(({ id }) => id === asked.scenarioId)?.description ?? info.match?.name ?? ''

  /** Asks for the frame as it is to be now; a later ask wins. */
  async function compose(show: (frame: Frame) => void) {
    const mine = ++latest
    window.clearTimeout(typing)
    document.body.classList.remove('pending')
    say('Loading')
    try {
      const frame = await readFrame(asked)
      if (mine !== latest) return
      drawVariables(frame)
      show(frame)
      if (!program.onAir) say('Off air')
      if (frame.leftOut.length > 0) say(`Not taken by this version or scenario: ${frame.leftOut.join(', ')}`, 'problem')
    } catch (error) {
      if (mine !== latest) return
      if (error instanceof Gone) say('This preview is over. Ask for another address.', 'problem')
      else say(error instanceof Error ? error.message : String(error), 'problem')
    } finally {
      document.body.classList.toggle('on-air', program.onAir)
    }
  }
  const show = () => compose(({ frame }) => program.load(frame.payload))
  const update = () => compose(({ frame }) => program.change(frame.payload))
  const out = () => {
    latest++
    program.out()
    say('Off air')
    document.body.classList.remove('on-air')
  }

  const edited = () => {
    document.body.classList.add('pending')
    window.clearTimeout(typing)
    if (byId('as-typed', HTMLInputElement).checked) typing = window.setTimeout(update, AS_TYPED_MS)
  }

  function drawVariables({ variables, choices }: Frame) {
    // a person who types must not lose the field
    const key = JSON.stringify({ variables, choices })
    if (key === drawn) return
    drawn = key
    // records of another scenario are not in this one
    for (const { name, type } of variables) {
      const value = asked.variableValues[name]
      if (choices[type] && !choices[type].some((choice) => JSON.stringify(choice.value) === JSON.stringify(value)))
        asked.variableValues = changedBy<Value>(asked.variableValues, name, undefined)
    }
    const fields = variables.map((variable) =>
      variableField(variable, asked.variableValues[variable.name], choices[variable.type], (name, value) => {
        asked.variableValues = changedBy(asked.variableValues, name, value)
        edited()
      }),
    )
    byId('variables', HTMLFormElement).replaceChildren(
      ...(fields.length > 0 ? fields : [node('p', { class: 'none' }, 'This version has no control variables')]),
    )
  }

  function drawTheme() {
    const fields = info.themeVariables.map((variable) =>
      themeField(variable, asked.themeVariableValues[variable.name], (name, value) => {
        asked.themeVariableValues = changedBy(asked.themeVariableValues, name, value)
        edited()
      }),
    )
    byId('theme', HTMLFormElement).replaceChildren(
      ...(fields.length > 0 ? fields : [node('p', { class: 'none' }, 'The theme has no variables')]),
    )
  }

  function drawScenarios() {
    const form = byId('scenarios', HTMLFormElement)
    const sport = info.scenarios.find(({ id }) => id === asked.scenarioId)?.sport ?? info.match?.sport ?? ''
    if (form.dataset.sport === sport) return
    form.dataset.sport = sport
    const hadFocus = form.contains(document.activeElement)
    const around = { sport, sports: info.graphic.sports, match: info.match?.name }
    showScenarios(form, info.scenarios, { chosen: asked.scenarioId ?? '', ...around, pick })
    if (hadFocus) form.querySelector('select')?.focus()
  }

  function pick(id: string) {
    const { scenarioId: _, ...rest } = asked
    asked = id === '' ? rest : { ...rest, scenarioId: id }
    drawScenarios()
    const chosen = document.querySelector<HTMLInputElement>(`#scenarios input[value="${CSS.escape(id)}"]`)
    if (chosen) chosen.checked = true
    chosen?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    showCleanLink()
    void update()
  }

  function step(by: number) {
    const inputs = [...document.querySelectorAll<HTMLInputElement>('#scenarios input')]
    const next = inputs[(inputs.findIndex(({ checked }) => checked) + by + inputs.length) % inputs.length]
    if (next) pick(next.value)
  }

  const showCleanLink = () => {
    const { scenarioId, version } = asked
    const query = new URLSearchParams({
      clean: '',
      ...(scenarioId !== undefined && { scenario: scenarioId }),
      version: String(version),
    })
    byId('clean', HTMLAnchorElement).href = `?${query.toString().replace('clean=&', 'clean&')}`
  }

  const version = byId('version', HTMLSelectElement)
  for (const one of info.versions) {
    const name = one.version === 'working' ? `Working copy (will be ${one.number})` : `Published ${one.version}`
    const chosen = one.version === asked.version
    const option = new Option(one.empty ? `${name}, no files` : name, String(one.version), chosen, chosen)
    option.disabled = one.empty
    version.append(option)
  }
  version.addEventListener('change', () => {
    asked.version = version.value === 'working' ? 'working' : Number(version.value)
    showCleanLink()
    void update()
  })

  const guides = byId('guides', HTMLButtonElement)
  const showGuides = () => {
    const shown = guides.getAttribute('aria-pressed') !== 'true'
    guides.setAttribute('aria-pressed', String(shown))
    byId('safe', HTMLElement).hidden = !shown
  }
  const background = byId('background', HTMLSelectElement)
  background.addEventListener('change', () => {
    picture.className = background.value
  })
  guides.addEventListener('click', showGuides)
  byId('in', HTMLButtonElement).addEventListener('click', show)
  byId('update', HTMLButtonElement).addEventListener('click', update)
  byId('out', HTMLButtonElement).addEventListener('click', out)
  byId('reset', HTMLButtonElement).addEventListener('click', () => {
    asked.variableValues = {}
    drawn = ''
    void update()
  })
  byId('reset-theme', HTMLButtonElement).addEventListener('click', () => {
    asked.themeVariableValues = {}
    drawTheme()
    void update()
  })
  for (const form of ['variables', 'theme', 'scenarios'])
    byId(form, HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      void update()
    })
  const keys: Readonly<Record<string, () => void>> = {
    i: show,
    u: update,
    o: out,
    g: showGuides,
    '[': () => step(-1),
    ']': () => step(1),
  }
  window.addEventListener('keydown', (event) => {
    const typed = event.target instanceof HTMLElement && event.target.closest('input:not([type=radio]), select')
    if (typed || event.ctrlKey || event.metaKey || event.altKey) return
    const run = keys[event.key.toLowerCase()]
    if (!run) return
    event.preventDefault()
    run()
  })

  byId('name', HTMLElement).textContent = info.graphic.name
  const until = new Date(info.expiresAt)
  byId('until', HTMLElement).textContent =
    `Preview, until ${until.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`
  drawTheme()
  drawScenarios()
  showCleanLink()
  program.fit(byId('area', HTMLElement), picture)
  void show()
}
