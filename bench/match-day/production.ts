import type { Api } from '../api.ts'
import { LiveMatch } from './match.ts'
import { Screen } from './screen.ts'

type Made = { id: number }
type Room = { presets: { id: number; graphicId: string; graphicName: string }[] }

export type Squad = { teamId: number; playerIds: number[] }

const grade = async (api: Api) => {
  const [first] = await api.get<Made[]>('/v1/competitions/grades')
  if (!first) throw new Error('the server has no grades')
  return first.id
}

/** A competition of a sport with two teams of so many players each. */
export async function createLeague(
  api: Api,
  sport: string,
  squad: number,
): Promise<{ competitionId: number; squads: Squad[] }> {
  const about = { sport, age: 'Senior', gender: 'Female', gradeId: await grade(api) }
  const { id: competitionId } = await api.post<Made>('/v1/competitions', { name: `Match day ${sport}`, ...about })
  const squads: Squad[] = []
  for (const name of ['Norrvik Athletic', 'Harbour Rovers']) {
    const team = await api.post<Made>('/v1/teams', { name, ...about, competitionIds: [competitionId] })
    const playerIds: number[] = []
    for (let number = 1; number <= squad; number++) {
      const body = { firstName: `Player ${number}`, lastName: name.split(' ')[0], number: String(number) }
      playerIds.push((await api.post<Made>(`/v1/teams/${team.id}/players`, body)).id)
    }
    squads.push({ teamId: team.id, playerIds })
  }
  return { competitionId, squads }
}

/** Creates the match and an overlay in the organization's first control room, opens a renderer and puts the score bug on air. */
export async function openMatch(api: Api, body: object, name: string) {
  const match = await api.post<Made>('/v2/matches', body)
  const rooms = await api.get<Made[]>('/v2/control-rooms')
  const controlRoomId = rooms[0]?.id
  if (controlRoomId === undefined) throw new Error('the organization has no control room')
  const { presets } = await api.get<Room>(`/v2/control-rooms/${controlRoomId}`)
  const presetOf = (graphic: string) => {
    const preset = presets.find(({ graphicName }) => graphicName === graphic)
    if (!preset) throw new Error(`the control room has no preset of a ${graphic}`)
    return preset
  }
  const overlay = await api.post<Made & { key: string }>('/v1/overlays', { name, matchId: match.id, controlRoomId })
  const screen = new Screen(api.url, overlay.key)
  const show = async (graphic: string) => {
    const { id, graphicId } = presetOf(graphic)
    await api.post(`/v2/overlays/${overlay.id}/graphics/commands`, { action: 'show', presetId: id })
    await screen.until(`${graphic} on air`, () => screen.graphics.has(graphicId))
    return graphicId
  }
  const live = new LiveMatch(api, screen, match.id, await show('Score bug'))
  /** Takes everything off air and closes the renderer. */
  const close = async () => {
    await api.post(`/v2/overlays/${overlay.id}/graphics/commands`, { action: 'hideAll' })
    await screen.until('an empty screen', () => screen.graphics.size === 0)
    screen.close()
  }
  return { live, screen, show, close }
}
