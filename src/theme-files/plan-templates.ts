import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type TemplateAnswer, Written } from './answers.ts'
import type { LocalTemplate, LocalTheme } from './folder.ts'
import { FolderError } from './folder-error.ts'
import { pairUp } from './pairs.ts'
import type { RemoteTheme } from './remote.ts'
import { type Kept, type Session, type Step, since, sinceQuery } from './session.ts'

/** The data source templates, by alias. Throws FolderError for one that would have to be another kind. */
export function planTemplates(local: LocalTheme, remote: RemoteTheme | undefined) {
  const aliasOf = ({ alias }: { alias: string }) => alias
  const { pairs, extra } = pairUp(local.templates, remote?.templates ?? [], aliasOf, aliasOf)
  const steps = pairs.flatMap((pair) =>
    pair.remote ? updateTemplate(pair.local, pair.remote) : [createTemplate(pair.local)],
  )
  const prune = extra.map(
    ({ id, alias, updatedAt }): Step => ({
      change: { action: 'delete', kind: 'dataSourceTemplate', name: alias },
      async run(session) {
        await session.api.delete(`${at(session)}/${id}${sinceQuery(updatedAt)}`)
        session.themeUpdatedAt = undefined
      },
    }),
  )
  const kept: Kept[] = extra.map(({ alias }) => ({ kind: 'dataSourceTemplate', name: alias }))
  return { steps, prune, kept }
}

const at = ({ themeId }: Session) => `/v2/themes/${themeId}/data-source-templates`

/** The options that say something, as the server keeps them. */
function said(config: LocalTemplate['config']) {
  const options = Object.entries(config ?? {}).filter(([, value]) => value !== null)
  return options.length > 0 ? Object.fromEntries(options) : null
}

const sampleOf = async ({ samplePath }: LocalTemplate) => (await readFile(samplePath)).toString('base64')

const createTemplate = (template: LocalTemplate): Step => ({
  change: { action: 'create', kind: 'dataSourceTemplate', name: template.alias },
  async run(session) {
    const { alias, sourceType, shape, config, schema, description } = template
    const body = { alias, sourceType, shape, config, description, ...(schema && { schema }) }
    await session.api.write('POST', at(session), { ...body, sampleBase64: await sampleOf(template) }, Written)
    // a template is of the theme, whose new moment the answer does not tell
    session.themeUpdatedAt = undefined
  },
})

function updateTemplate(template: LocalTemplate, stored: TemplateAnswer): Step[] {
  const { alias, sourceType, shape, config, schema, description } = template
  for (const [field, here, there] of [
    ['sourceType', sourceType, stored.sourceType],
    ['shape', shape, stored.shape],
  ])
    if (here !== there)
      throw new FolderError([
        `theme.json: dataSourceTemplates: ${alias} is ${here} here and ${there} on the server, and its ${field} never changes: take another alias`,
      ])
  const configDiffers = !isDeepStrictEqual(said(config), stored.config)
  const sampleDiffers = template.sampleHash !== stored.sampleHash
  const schemaDiffers = schema !== undefined && !isDeepStrictEqual(schema, stored.schema)
  const descriptionDiffers = description !== stored.description
  const changed = [
    ...(configDiffers ? ['config'] : []),
    ...(sampleDiffers ? ['sample'] : []),
    ...(schemaDiffers ? ['schema'] : []),
    ...(descriptionDiffers ? ['description'] : []),
  ]
  if (changed.length === 0) return []
  return [
    {
      change: { action: 'update', kind: 'dataSourceTemplate', name: alias, changed },
      async run(session) {
        const body = {
          ...(configDiffers && { config }),
          // other options read the sample in another way
          ...((sampleDiffers || configDiffers) && { sampleBase64: await sampleOf(template) }),
          ...(schema && { schema }),
          ...(descriptionDiffers && { description }),
          ...since(stored.updatedAt),
        }
        await session.api.write('PATCH', `${at(session)}/${stored.id}`, body, Written)
      },
    },
  ]
}
