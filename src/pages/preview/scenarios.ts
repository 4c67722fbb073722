import type { Scenario } from './api.ts'
import { node } from './dom.ts'

const SITUATIONS: Readonly<Record<string, string>> = {
  preMatch: 'Pre-match',
  live: 'Live',
  scored: 'Just scored',
  discipline: 'Discipline',
  break: 'Break',
  late: 'Late drama',
  decider: 'Deciders',
  finished: 'Over',
  stopped: 'Stopped',
}

/** `rugbyUnion` as people write it. */
const words = (sport: string) => {
  const spaced = sport.replace(/([A-Z])/g, ' $1').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

type Around = {
  /** The id of a scenario; '' is the match that the preview was made for. */
  chosen: string
  sport: string
  sports: readonly string[]
  /** The name of that match. */
  match: string | undefined
  pick(id: string): void
}

/** The scenarios of a sport, grouped by situation, and the choice of another sport. */
export function showScenarios(
  form: HTMLFormElement,
  scenarios: readonly Scenario[],
  { chosen, sport, sports, match, pick }: Around,
) {
  const now = scenarios.find(({ id }) => id === chosen) ?? scenarios.find((one) => one.sport === sport)
  const select = node('select', { id: 'sport' })
  // those that the graphic is made for come first
  const all = [...new Set([...sports, ...scenarios.map(({ sport }) => sport)])]
  for (const one of all) select.append(new Option(words(one), one, one === now?.sport, one === now?.sport))
  select.addEventListener('change', () => {
    const own = scenarios.filter(({ sport }) => sport === select.value)
    const alike = own.find(({ situation }) => situation === now?.situation) ?? own[0]
    if (alike) pick(alike.id)
  })
  const groups = Object.entries(SITUATIONS).flatMap(([situation, title]) => {
    const own = scenarios.filter((one) => one.sport === now?.sport && one.situation === situation)
    return own.length === 0 ? [] : [group(title, own, chosen)]
  })
  form.replaceChildren(
    node('fieldset', { class: 'sport' }, node('legend', {}, node('label', { for: 'sport' }, 'Sport')), select),
    ...(match === undefined ? [] : [group('The match', [{ id: '', name: match, description: match }], chosen)]),
    ...groups,
  )
  form.onchange = ({ target }) => {
    if (target instanceof HTMLInputElement) pick(target.value)
  }
}

type Offered = Pick<Scenario, 'id' | 'name' | 'description'>

function group(title: string, scenarios: readonly Offered[], chosen: string) {
  const chips = scenarios.map(({ id, name, description }) => {
    const input = node('input', { type: 'radio', name: 'scenario', value: id })
    input.checked = id === chosen
    return node('label', { class: 'chip', title: description }, input, node('span', {}, name))
  })
  return node('fieldset', {}, node('legend', {}, title), ...chips)
}
