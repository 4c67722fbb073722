import type { SportName } from '../../../../../machines/sports.ts'
import { type Files, filesIn, jsonIn } from '../drop/files.ts'
import { starterRoom } from './room.ts'

const NAME = 'Coastline'

/** The files of the theme that comes with the server, for a sport. Throws with words for people. show-control: Records */
export async function starterFiles(sport: SportName, name: string): Promise<Files> {
  const answer = await fetch('/docs/starter-theme.zip').catch(() => undefined)
  const files = answer?.ok ? filesIn(new Uint8Array(await answer.arrayBuffer())) : undefined
  if (!files) throw new Error('The theme could not be read from the server')
  return forSport(files, sport, name)
}

/** A theme of these files for a sport, with a control room in the words of it. */
export function forSport(files: Files, sport: SportName, name: string): Files {
  const changed = new Map(files)
  const set = (path: string, change: object) => {
    const value = { ...(jsonIn(files, path) as object), ...change }
    changed.set(path, new TextEncoder().encode(JSON.stringify(value)))
  }
  set('theme.json', { name, sports: [sport], controlRooms: [starterRoom(sport)] })
  for (const path of files.keys()) if (/^graphics\/[^/]+\/graphic\.json$/.test(path)) set(path, { sports: [sport] })
  return changed
}

type Worn = { name: string; sports?: readonly string[] | undefined }

/** Sports of competitions for which there is no theme yet, each once. A theme that names no sport is for all. */
export function sportsWithout(themes: readonly Worn[], competitions: readonly { sport: string }[]): string[] {
  const has = (sport: string) => themes.some(({ sports = [] }) => sports.length === 0 || sports.includes(sport))
  return [...new Set(competitions.map(({ sport }) => sport))].filter((sport) => !has(sport))
}

/** `Coastline`, and where there is one already, with the sport. */
export const starterName = (sport: string, themes: readonly Worn[]): string =>
  themes.some(({ name }) => name === NAME) ? `${NAME}, ${sport}` : NAME
