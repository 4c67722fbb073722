import { type Api, Refusal } from './api.ts'
import type { LocalTheme } from './folder.ts'
import { FolderError } from './folder-error.ts'
import { PLAN_FILE } from './game-plan-file.ts'
import { type PlanOwner, planGamePlan, type RemoteGamePlan, readGamePlan } from './plan-game-plan.ts'
import { planGraphics } from './plan-graphics.ts'
import { planRooms } from './plan-rooms.ts'
import { planTemplates } from './plan-templates.ts'
import { planTheme, planVariables } from './plan-theme.ts'
import { planVersion } from './plan-version.ts'
import type { Progress } from './progress.ts'
import { findThemeByName, type RemoteTheme, readRemoteTheme } from './remote.ts'
import { type Change, createPool, type Kept, type Session, type Step } from './session.ts'

export type PushOptions = PlanOwner & {
  /** Left out: the theme of the folder's name, made when there is none. */
  themeId?: number | undefined
  /** Publishes graphics that differ from their latest versions. */
  publish: boolean
  /** Publishes, and makes the newest version the active one. */
  activate: boolean
  /** Deletes records that the folder does not have. */
  prune: boolean
  /** Changes nothing and answers the changes that it would make. */
  dryRun: boolean
  /** Of the theme version; left out, those of the folder. */
  notes?: string | undefined
}

export type Pushed = {
  /** Null only for a dry run that would make it. */
  themeId: number | null
  name: string
  dryRun: boolean
  /** In the order of doing. */
  changes: Change[]
  /** Records that only the server has; `prune` deletes them. */
  kept: Kept[]
  uploaded: { files: number; bytes: number }
  /** The newest theme version afterwards, and the active one. */
  version: number | null
  activeVersion: number | null
}

/** How many files are on their way at once. */
const UPLOADS_AT_ONCE = 6

/**
 * Makes a theme on a server as a folder has it, over the REST API alone. Records that are right already are not touched, so a second
 * push does nothing. Each write names the state that was read first, so that nobody's work is overwritten unseen. Throws
 * Refusal and FolderError; writes until then stay, and the next push goes on.
 */
export async function pushTheme(
  api: Api,
  local: LocalTheme,
  options: PushOptions,
  progress: Progress,
): Promise<Pushed> {
  const themeId = options.themeId ?? (await findThemeByName(api, local.name))
  const remote = themeId === undefined ? undefined : await readRemoteTheme(api, themeId)
  const gamePlan = await readGamePlan(api, themeId, options)
  if (local.gamePlan && !gamePlan) progress.noted(`${PLAN_FILE} is not sent: --competition says whose it is`)
  const { stages, kept } = plan(local, remote, { ...options, gamePlan })
  const changes = stages.flatMap(({ steps }) => steps.map(({ change }) => change))
  const planned = changes.reduce(
    (sum, { uploads = [], uploadBytes = 0 }) => ({ files: sum.files + uploads.length, bytes: sum.bytes + uploadBytes }),
    { files: 0, bytes: 0 },
  )
  const about = { name: local.name, changes, kept, uploaded: planned }
  const before = { version: remote?.latest?.version ?? null, activeVersion: remote?.theme.activeVersion ?? null }
  if (options.dryRun) return { ...about, themeId: themeId ?? null, dryRun: true, ...before }
  progress.start(changes.length, planned)
  const session: Session = {
    api,
    themeId: themeId ?? 0,
    themeUpdatedAt: remote?.theme.updatedAt,
    graphics: graphicsOf(remote),
    pool: createPool(UPLOADS_AT_ONCE),
    uploaded: (bytes) => progress.transferred(bytes),
  }
  for (const stage of stages) await run(stage, session, progress)
  progress.end()
  return { ...about, themeId: session.themeId, dryRun: false, ...afterwards(before, changes) }
}

/** A refusal with the name of its record. */
function named(what: string, { message, status, code }: Refusal): Refusal {
  const sentence = code === 'LOCKED' || code === 'TARGET_CHANGED'
  return new Refusal(sentence ? `${what} ${message}` : `${what}: ${message}`, status, code)
}

type Stage = { steps: Step[]; together?: boolean }

function plan(
  local: LocalTheme,
  remote: RemoteTheme | undefined,
  options: PushOptions & { gamePlan: RemoteGamePlan | undefined },
): { stages: Stage[]; kept: Kept[] } {
  const { activate, prune } = options
  const publish = options.publish || activate
  checkPresets(local, remote)
  const variables = planVariables(local, remote)
  const templates = planTemplates(local, remote)
  const graphics = planGraphics(local, remote, { publish })
  const rooms = planRooms(local, remote)
  const rules = planGamePlan(local, remote, options.gamePlan)
  const pruned = new Set(prune ? graphics.kept.map(({ name }) => name) : [])
  const staying = (remote?.theme.graphics ?? []).filter(({ name }) => !pruned.has(name))
  const version = planVersion(remote, {
    activate,
    notes: options.notes ?? local.notes,
    graphicsChange: graphics.publish.length > 0 || (prune && graphics.prune.length > 0),
    hasGraphics: graphics.publish.length > 0 || staying.some(({ publishedVersions }) => publishedVersions.length > 0),
  })
  return {
    stages: [
      { steps: planTheme(local, remote) },
      { steps: variables.steps },
      { steps: templates.steps },
      { steps: graphics.create },
      { steps: graphics.bundles, together: true },
      { steps: graphics.publish },
      // the version after them no longer has graphics that are deleted
      { steps: prune ? graphics.prune : [] },
      { steps: publish ? version : [] },
      // presets are checked against the active version
      { steps: rooms.steps },
      { steps: prune ? [...rules.steps, ...rules.prune] : rules.steps },
      { steps: prune ? [...rooms.prune, ...templates.prune, ...variables.prune] : [] },
    ],
    kept: prune ? [] : [...variables.kept, ...templates.kept, ...graphics.kept, ...rooms.kept, ...rules.kept],
  }
}

function checkPresets({ graphics, controlRooms }: LocalTheme, remote: RemoteTheme | undefined) {
  const names = new Set([...graphics, ...(remote?.theme.graphics ?? [])].map(({ name }) => name))
  const wrong = controlRooms.flatMap(({ sections }, room) =>
    sections.flatMap(({ presets }, section) =>
      presets.flatMap(({ graphic }, preset) =>
        names.has(graphic)
          ? []
          : [
              `theme.json: controlRooms[${room}].sections[${section}].presets[${preset}].graphic: there is no graphic ${graphic}; ` +
                `there is ${[...names].join(', ') || 'none'}`,
            ],
      ),
    ),
  )
  if (wrong.length > 0) throw new FolderError(wrong)
}

function graphicsOf(remote: RemoteTheme | undefined): Session['graphics'] {
  const graphics: Session['graphics'] = new Map()
  // motion graphics too, which presets may name
  for (const { name, graphicId } of remote?.theme.graphics ?? [])
    graphics.set(name, { graphicId, updatedAt: undefined })
  for (const { name, graphicId, updatedAt } of remote?.graphics ?? []) graphics.set(name, { graphicId, updatedAt })
  return graphics
}

async function run({ steps, together = false }: Stage, session: Session, progress: Progress) {
  const one = async ({ change, run: work }: Step) => {
    try {
      await work(session)
    } catch (error) {
      if (error instanceof Refusal) throw named(`${change.kind} ${change.name}`, error)
      throw error
    }
    progress.did(change)
  }
  if (!together) for (const step of steps) await one(step)
  else {
    const done = await Promise.allSettled(steps.map(one))
    const failed = done.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }
}

/** The versions that the changes leave. */
function afterwards(before: Pick<Pushed, 'version' | 'activeVersion'>, changes: readonly Change[]) {
  const change = changes.find(({ kind }) => kind === 'themeVersion')
  if (!change) return before
  const version = Number(change.name)
  const active = change.action === 'activate' || change.changed?.includes('activeVersion')
  return { version, activeVersion: active ? version : before.activeVersion }
}
