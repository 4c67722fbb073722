import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RoomDetailAnswer, RoomListAnswer } from '../theme-files/answers.ts'
import type { Api } from '../theme-files/api.ts'
import { readThemeFolder } from '../theme-files/folder.ts'
import { putGamePlan, readGamePlan } from '../theme-files/plan-game-plan.ts'
import { silent } from '../theme-files/progress.ts'
import { pushTheme } from '../theme-files/push.ts'

/** Publishes the theme as everybody does, active with its control room and presets. */
export async function createDesign(api: Api, themeFolder: string) {
  const local = await readThemeFolder(themeFolder)
  const options = { publish: true, activate: true, prune: false, dryRun: false }
  const { themeId } = await pushTheme(api, local, options, silent)
  const [room] = await api.get(`/v2/control-rooms?themeId=${themeId}`, RoomListAnswer)
  if (themeId === null || !room) throw new Error('the demo theme has no control room')
  const { sections, presets } = await api.get(`/v2/control-rooms/${room.id}`, RoomDetailAnswer)
  return {
    gamePlan: local.gamePlan ?? [],
    themeId,
    controlRoomId: room.id,
    sectionIds: sections.map(({ id }) => id),
    presets: presets.map(({ id, name, sectionId, graphicId, graphicName, exposedVariables }) => ({
      id,
      name,
      sectionId,
      graphicId,
      graphicName,
      exposedVariables,
    })),
  }
}

/** The rules of the theme's folder, for the competition that wears it. */
export async function createGamePlan(
  api: Api,
  { themeId, gamePlan }: Pick<Awaited<ReturnType<typeof createDesign>>, 'themeId' | 'gamePlan'>,
  competitionId: number,
): Promise<void> {
  const stored = await readGamePlan(api, themeId, { competitionId })
  if (stored && gamePlan.length > 0) await putGamePlan(api, themeId, stored, gamePlan)
}

/** `dist/demo/theme` of the package, whether this runs from `src` or from `dist/src`. */
export function builtTheme(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'dist/demo/theme')
}
