import { colourOf } from '../../expressions/colour.ts'
import type { GraphicData, GraphicTeam } from './data.ts'

const FALLBACK = { home: { background: '#2b3550', text: '#ffffff' }, away: { background: '#e7eaf1', text: '#10141d' } }

export type Side = 'home' | 'away'

/** In place of the id of a team: players that compete without one. */
const PEOPLE = 0

/** The team of a side, or its players where a side is no team. */
export function teamOf({ teams, competitors = [] }: Partial<GraphicData>, side: Side): GraphicTeam | undefined {
  const team = teams?.[side]
  if (team) return team
  const players = competitors.filter(({ isHome }) => isHome === (side === 'home'))
  if (players.length === 0) return undefined
  const gfxName = players.map(({ shortName }) => shortName).join(' / ')
  return { id: PEOPLE, name: players.map(({ name }) => name).join(' / '), gfxName, abbreviation: gfxName, coach: null }
}

/** Up to four letters: the team's abbreviation, else the start of its name. */
export function abbreviation(team: GraphicTeam | undefined, side: Side): string {
  const name =
    team?.abbreviation ??
    Array.from(team?.gfxName ?? team?.name ?? '')
      .slice(0, 3)
      .join('')
  return (name || (side === 'home' ? 'HOM' : 'AWY')).toUpperCase()
}

/** A few letters for a small box, also where players have names and no abbreviation. */
export function monogram(team: GraphicTeam | undefined, side: Side): string {
  const players = team?.id === PEOPLE ? (team.gfxName ?? '').split(' / ') : []
  if (players.length === 0) return abbreviation(team, side)
  const letters = players.length > 1 ? 1 : 3
  const starts = players.map((name) => Array.from(name).slice(0, letters).join(''))
  return starts.join('/').toUpperCase()
}

/** The name that graphics show. */
export function teamName(team: GraphicTeam | undefined, side: Side): string {
  return team?.gfxFullName ?? team?.gfxName ?? team?.name ?? (side === 'home' ? 'Home' : 'Away')
}

type Pair = { background: string; text: string }

/** Colours of a team, always a pair that can be read. */
export const colours = (team: GraphicTeam | undefined, side: Side): Pair =>
  readable(team?.primaryBackgroundColor, team?.primaryTextColor, FALLBACK[side])

/** A ground and its text; what is no colour, or cannot be read, is another one. */
export function readable(ground: unknown, ink: unknown, fallback: Pair): Pair {
  const background = colourOf(ground) ?? fallback.background
  const text = colourOf(ink) ?? fallback.text
  return contrast(background, text) >= 3 ? { background, text } : { background, text: readableOn(background) }
}

const DARK = '#161d33'

/** Colours of bars side by side on the dark ground: each team's own, as light as they must be to be seen, and told apart. */
export function barColours(home: GraphicTeam | undefined, away: GraphicTeam | undefined): Record<Side, string> {
  const own = (team: GraphicTeam | undefined, side: Side) =>
    [
      team?.primaryBackgroundColor,
      team?.secondaryBackgroundColor,
      FALLBACK[side === 'home' ? 'away' : 'home'].background,
    ]
      .flatMap((one) => colourOf(one) ?? [])
      .map(lightened)
  const ofHome = own(home, 'home')[0] ?? '#ffffff'
  return { home: ofHome, away: own(away, 'away').find((one) => distance(one, ofHome) > 90) ?? '#ffffff' }
}

/** The colour with as much white as it takes to be seen on the dark ground. */
function lightened(colour: string): string {
  const [red = 0, green = 0, blue = 0] = channels(colour)
  const mixed = [0, 0.12, 0.24, 0.36, 0.48, 0.6].map(
    (white) => `rgb(${[red, green, blue].map((one) => Math.round(one + (255 - one) * white)).join(', ')})`,
  )
  return mixed.find((one) => contrast(one, DARK) >= 2.2) ?? '#ffffff'
}

function distance(one: string, other: string): number {
  const [a, b] = [channels(one), channels(other)]
  return Math.hypot(...a.map((channel, index) => channel - (b[index] ?? 0)))
}

/** Sets `--<prefix>` and `--<prefix>-text` for the style sheet. */
export function wearColours(target: HTMLElement, prefix: string, pair: Pair) {
  target.style.setProperty(`--${prefix}`, pair.background)
  target.style.setProperty(`--${prefix}-text`, pair.text)
}

const readableOn = (background: string) =>
  contrast(background, '#ffffff') >= contrast(background, '#10141d') ? '#ffffff' : '#10141d'

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return ((a ?? 1) + 0.05) / ((b ?? 0) + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((part) => {
    const channel = part / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Red, green and blue from 0 to 255. */
function channels(colour: string): number[] {
  const probe = document.createElement('span')
  probe.style.color = colour
  document.body.append(probe)
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  probe.remove()
  return parts.slice(0, 3).map(Number)
}
