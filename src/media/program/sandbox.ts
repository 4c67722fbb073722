import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { asNobody, canDropRights, confinement, isRoot, newProfile, works } from './confinement.ts'

const ANSWERS_WITHIN_MS = 15_000
const HOW = 'or set BURN_IN_SANDBOX=off to draw them without'
const REFUSED = 'burned-in graphics are refused'

/** Why a browser ended that has no sandbox, for people. */
export const NO_SANDBOX = `The browser has no sandbox on this server, so ${REFUSED}: allow user namespaces (for a container docker-compose.yml shows how), ${HOW}`
const ROOT = `The server runs as root and may not start the browser as another user, so ${REFUSED}: run it as another user, or let it change users (setpriv; CAP_SETUID, CAP_SETGID), ${HOW}`
/** Told for as long as it is so. */
export const WITHOUT_SANDBOX = 'Burned-in graphics are drawn without the sandbox of the browser (BURN_IN_SANDBOX=off)'

/** The command that makes namespaces and rights in them; the sandbox needs the same. */
const NESTED = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--root=/', 'true']

/** Whether a last line of a browser means that it has no sandbox. */
export const saysNoSandbox = (line: string): boolean => line.includes('No usable sandbox')

/** Why this browser would have no sandbox on this machine, in one line for people; undefined when it has one. */
export async function lackOfSandbox(browser: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const canDrop = await canDropRights()
  if (isRoot() && !canDrop) return ROOT
  if (await works([...(canDrop ? asNobody : []), ...NESTED])) return undefined
  // a machine may allow namespaces to this program alone
  return askBrowser(browser)
}

/** The browser says so itself when it has no sandbox, and takes a second: it is asked only where there is a doubt. */
async function askBrowser(browser: string): Promise<string | undefined> {
  const confined = await confinement(true)
  const profile = await newProfile(confined)
  const args = ['--headless', '--disable-gpu', `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  const [command = browser, ...rest] = [...confined.prefix, browser, ...confined.flags, ...args]
  const options = { timeout: ANSWERS_WITHIN_MS, killSignal: 'SIGKILL', env: { ...ownPath(), HOME: profile } } as const
  const answer = new Promise<string | undefined>((resolve) => {
    execFile(command, rest, options, (error, _page, said) => {
      if (!error) resolve(undefined)
      else if (saysNoSandbox(said)) resolve(NO_SANDBOX)
      else resolve(`The browser for burned-in graphics (${browser}) does not start on this server, so they are refused`)
    })
  })
  return answer.finally(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}))
}

// biome-ignore lint/style/noProcessEnv: where programs are; what else is in it is not the browser's to know
const ownPath = () => ({ PATH: process.env.PATH })
