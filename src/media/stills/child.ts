import { setPriority } from 'node:os'
import { openProcesses, type Processes } from '../process.ts'
import { type Browser, startBrowser } from '../program/browser.ts'
import type { FromStills, StillTools, ToStills } from './messages.ts'
import { StillPage } from './still-page.ts'

// a browser for pictures of presets, in a process of its own: what it draws is code of others, and everything on air goes first

const LOWEST = 19
/** News goes to the server as messages, not as logs. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {} }

/** Resolves when it is sent. */
const tell = (message: FromStills) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })

let processes: Processes | undefined
let page: StillPage | undefined
let leaving: Promise<void> | undefined

async function leave(reason?: string): Promise<void> {
  leaving ??= (async () => {
    await processes?.close()
    if (reason !== undefined) await tell({ type: 'ended', reason })
    process.exit(0)
  })()
  return leaving
}

async function start({ pidFolder, browser: command, pageUrl, ...tools }: StillTools): Promise<void> {
  // the browser gets it from here
  setPriority(LOWEST)
  processes = await openProcesses(pidFolder, SILENT)
  const browser: Browser = await startBrowser(
    { ...tools, processes, command, of: 'stills', width: 1920, height: 1080 },
    (event) => page?.hear(event),
  )
  void browser.ended.then(leave)
  await StillPage.open(
    browser.devtools,
    pageUrl,
    (reason) => void leave(reason),
    (opened) => {
      page = opened
    },
  )
  await tell({ type: 'ready' })
}

async function make(id: number, payload: string): Promise<void> {
  try {
    if (!page) throw new Error('The page for stills is not there')
    await tell({ type: 'made', id, png: await page.make(payload) })
  } catch (error) {
    await tell({ type: 'failed', id, reason: error instanceof Error ? error.message : String(error) })
  }
}

process.on('message', (message: ToStills) => {
  if (message.type === 'make') void make(message.id, message.payload)
  else start(message.tools).catch((error: Error) => leave(error.message))
})
process.once('uncaughtException', (error) => leave(error.message))
process.once('SIGTERM', () => leave())
// a group of its own hears nothing of a server that is gone
process.once('disconnect', () => leave())
