import {
  type GraphicAnswer,
  GraphicListAnswer,
  GraphicVersionAnswer,
  MotionAnswer,
  MotionListAnswer,
  OgrafListAnswer,
  RoomDetailAnswer as RoomDetail,
  type RoomDetailAnswer,
  RoomListAnswer,
  type TemplateAnswer,
  TemplateListAnswer,
  ThemeAnswer,
  ThemeListAnswer,
  ThemeVersionAnswer,
  type VariableAnswer,
  VariableListAnswer,
} from './answers.ts'
import { type Api, Refusal } from './api.ts'

/** A graphic as it was published last. */
export type Published = GraphicVersionAnswer
export type GraphicType = 'code' | 'rive' | 'ograf'
/** A code graphic, or a motion graphic with the files that it was made of. */
export type RemoteGraphic = GraphicAnswer & { type: GraphicType; published?: Published }

/** A theme as the server has it. */
export type RemoteTheme = {
  theme: ThemeAnswer
  variables: VariableAnswer[]
  templates: TemplateAnswer[]
  graphics: RemoteGraphic[]
  rooms: RoomDetailAnswer[]
  /** The newest published version, with the versions that it pins. */
  latest: ThemeVersionAnswer | undefined
}

const PAGE = 1_000

/** Everything of a theme that files tell. Throws Refusal. */
export async function readRemoteTheme(api: Api, themeId: number): Promise<RemoteTheme> {
  const at = `/v2/themes/${themeId}`
  const theme = await api.get(at, ThemeAnswer).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) throw new Refusal(`there is no theme ${themeId}`, 404)
    throw error
  })
  const newest = theme.versions.at(-1)
  const [variables, templates, code, listed, ograf, rooms, latest] = await Promise.all([
    api.get(`${at}/variables`, VariableListAnswer),
    api.get(`${at}/data-source-templates?limit=${PAGE}`, TemplateListAnswer),
    api.get(`${at}/code-graphics`, GraphicListAnswer),
    api.get(`${at}/motion-graphics`, MotionListAnswer),
    api.get(`${at}/ograf-graphics`, OgrafListAnswer),
    api.get(`/v2/control-rooms?themeId=${themeId}`, RoomListAnswer),
    newest === undefined ? undefined : api.get(`${at}/versions/${newest}`, ThemeVersionAnswer),
  ])
  const motion = await Promise.all(listed.map(({ graphicId }) => readMotionGraphic(api, at, graphicId)))
  const graphics: RemoteGraphic[] = [
    ...code.map((graphic) => ({ ...graphic, type: 'code' as const })),
    ...motion,
    ...ograf.map(({ files, manifestUrl, ...graphic }) => ({
      ...graphic,
      type: 'ograf' as const,
      stateMachine: {},
      assets: files,
      bundleUrl: manifestUrl,
    })),
  ]
  const [detailed, withPublished] = await Promise.all([
    Promise.all(rooms.map(({ id }) => api.get(`/v2/control-rooms/${id}`, RoomDetail))),
    Promise.all(graphics.map((graphic) => addPublished(api, at, graphic))),
  ])
  return {
    theme,
    variables: variables.variables,
    templates: templates.dataSourceTemplates,
    graphics: withPublished,
    rooms: detailed,
    latest,
  }
}

/** Written by the server itself, from the state machine of the graphic. */
const MOTION_MANIFEST = 'graphic.json'

const sent = <File extends { name: string }>(files: readonly File[]) =>
  files.filter(({ name }) => name !== MOTION_MANIFEST)

async function readMotionGraphic(api: Api, at: string, graphicId: string): Promise<RemoteGraphic> {
  const path = `${at}/motion-graphics/${encodeURIComponent(graphicId)}`
  const { files, fileUrl, ...graphic } = await api.get(path, MotionAnswer)
  return { ...graphic, type: 'rive', assets: sent(files), bundleUrl: fileUrl }
}

async function addPublished(api: Api, at: string, graphic: RemoteGraphic): Promise<RemoteGraphic> {
  const version = graphic.publishedVersions.at(-1)
  if (version === undefined) return graphic
  return { ...graphic, published: await readGraphicVersion(api, at, graphic, version) }
}

/** A published version of a graphic: `at` is the path of its theme. */
export async function readGraphicVersion(
  api: Api,
  at: string,
  { graphicId, type }: { graphicId: string; type: GraphicType },
  version: number,
): Promise<Published> {
  const path = `${at}/${segmentOf(type)}/${encodeURIComponent(graphicId)}/versions/${version}`
  const found = await api.get(path, GraphicVersionAnswer)
  return type === 'rive' ? { ...found, files: sent(found.files) } : found
}

/** Of the paths of graphics. */
export const segmentOf = (type: GraphicType) => SEGMENTS[type]
const SEGMENTS = { code: 'code-graphics', rive: 'motion-graphics', ograf: 'ograf-graphics' } as const

/** The id of the organization's theme of this name; undefined when there is none. Throws Refusal when there are several. */
export async function findThemeByName(api: Api, name: string): Promise<number | undefined> {
  const ids: number[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { themes, total } = await api.get(`/v2/themes?limit=${PAGE}&offset=${offset}`, ThemeListAnswer)
    ids.push(...themes.filter((theme) => theme.name === name).map(({ id }) => id))
    if (offset + PAGE >= total) break
  }
  if (ids.length > 1) throw new Refusal(`themes ${ids.join(' and ')} have the name ${name}: say which with --theme`, 0)
  return ids[0]
}
