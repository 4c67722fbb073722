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

/** The scenarios of a sport, grouped by situation, and the choice of another sport. */
export function showScenarios(
  form: HTMLFormElement,
  scenarios: readonly Scenario[],
  { chosen, sports, pick }: { chosen: string; sports: readonly string[]; pick(id: string): void },
) {
  const now = scenarios.find(({ id }) => id === chosen) ?? scenarios[0]
  const select = node('select', { id: 'sport' })
  // those that the graphic is made for come first
  const all = [...new Set([...sports, ...scenarios.map(({ sport }) => sport)])]
  for (const sport of all) select.append(new Option(words(sport), sport, sport === now?.sport, sport === now?.sport))
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
    ...groups,
  )
  form.onchange = ({ target }) => {
    if (target instanceof HTMLInputElement) pick(target.value)
  }
}

function group(title: string, scenarios: readonly Scenario[], chosen: string) {
  const chips = scenarios.map(({ id, name, description }) => {
    const input = node('input', { type: 'radio', name: 'scenario', value: id })
    input.checked = id === chosen
    return node('label', { class: 'chip', title: description }, input, node('span', {}, name))
  })
  return node('fieldset', {}, node('legend', {}, title), ...chips)
}
