import { z } from 'zod'
import { Api } from '../theme-files/api.ts'
import { readThemeFolder } from '../theme-files/folder.ts'
import { lostAddresses } from '../theme-files/lost-addresses.ts'
import { manifestSchemas } from '../theme-files/manifest.ts'
import { reportTo } from '../theme-files/progress.ts'
import { pullTheme } from '../theme-files/pull.ts'
import { pushTheme } from '../theme-files/push.ts'
import { httpTransport } from '../theme-files/transport.ts'
import { Id, type OptionKinds, optional, required, UsageError, type Values } from './arguments.ts'

/** Where progress is told. */
type Lines = Parameters<typeof reportTo>[0]

/** A command that talks to a server over its API; it needs no database. */
export type RemoteCommand = {
  readonly name: string
  readonly usage: string
  readonly options: OptionKinds
  /** The word without a name that it takes. */
  readonly positional?: string
  remote(values: Values, stderr: Lines): Promise<unknown>
}

const ServerUrl = z.url({
  protocol: /^https?$/,
  error: 'must be the address of a server, such as http://localhost:8080',
})
const Key = z.string().regex(/^service_[\x21-\x7e]+$/, 'must be an API key, which starts with service_')
const Folder = z.string().min(1, 'must be a folder')
const Version = z
  .union([z.literal('working'), Id], { error: 'must be the number of a theme version, or working' })
  .transform((version) => (version === 'working' ? undefined : version))

const server = { url: 'value', key: 'value' } as const

function connect(values: Values, stderr: Lines) {
  const progress = reportTo(stderr)
  const url = required(values, 'url', ServerUrl)
  const key = required(values, 'key', Key)
  return { api: new Api({ transport: httpTransport, url, key, waiting: progress.waiting }), progress }
}

/** Options that name the theme profile of a game plan. */
const planOwner = { competition: 'value', profile: 'value' } as const

function ownerOf(values: Values) {
  const competitionId = optional(values, 'competition', Id)
  const profileId = optional(values, 'profile', Id)
  if (profileId !== undefined && competitionId === undefined)
    throw new UsageError('--profile is one of a competition: --competition is missing')
  return { competitionId, profileId }
}

const given = (values: Values, name: string) => values[name] === true

export const themeCommands: readonly RemoteCommand[] = [
  {
    name: 'themes push',
    usage:
      'FOLDER --url URL --key KEY [--theme ID] [--publish] [--activate] [--notes TEXT] [--prune] [--dry-run] [--competition ID [--profile ID]]',
    positional: 'folder',
    options: {
      ...server,
      theme: 'value',
      publish: 'switch',
      activate: 'switch',
      notes: 'value',
      prune: 'switch',
      'dry-run': 'switch',
      ...planOwner,
    },
    async remote(values, stderr) {
      const { api, progress } = connect(values, stderr)
      const themeId = optional(values, 'theme', Id)
      const notes = optional(values, 'notes', z.string())
      const local = await readThemeFolder(required(values, 'folder', Folder))
      for (const line of await lostAddresses(local.graphics)) progress.noted(line)
      const options = {
        themeId,
        notes,
        publish: given(values, 'publish'),
        activate: given(values, 'activate'),
        prune: given(values, 'prune'),
        dryRun: given(values, 'dry-run'),
        ...ownerOf(values),
      }
      return pushTheme(api, local, options, progress)
    },
  },
  {
    name: 'themes pull',
    usage:
      'FOLDER --url URL --key KEY --theme ID [--version N|working] [--force] [--dry-run] [--competition ID [--profile ID]]',
    positional: 'folder',
    options: { ...server, theme: 'value', version: 'value', force: 'switch', 'dry-run': 'switch', ...planOwner },
    async remote(values, stderr) {
      const { api, progress } = connect(values, stderr)
      const options = {
        themeId: required(values, 'theme', Id),
        version: optional(values, 'version', Version),
        force: given(values, 'force'),
        dryRun: given(values, 'dry-run'),
        ...ownerOf(values),
      }
      return pullTheme(api, required(values, 'folder', Folder), options, progress)
    },
  },
  {
    name: 'themes schema',
    usage: '(JSON Schemas of theme.json, graphic.json and game-plan.json)',
    options: {},
    remote: async () => manifestSchemas(),
  },
]
