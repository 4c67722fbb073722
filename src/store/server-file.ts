import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './embedded/postmaster.ts'

const path = (dataDir: string) => join(dataDir, 'server.json')

/** Leaves word of where this server is, for the CLI that shares its DATA_DIR. Returns the function that takes it away again. */
export function announceServer(dataDir: string, publicUrl: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(path(dataDir), JSON.stringify({ pid: process.pid, publicUrl }))
  // several nodes of one machine leave word, each of the same address
  return () => {
    if (wordOf(dataDir)?.pid === process.pid) rmSync(path(dataDir), { force: true })
  }
}

/** The public URL of the server that runs on this DATA_DIR now. */
export function findServer(dataDir: string): string | undefined {
  const word = wordOf(dataDir)
  return word && isAlive(word.pid) ? word.publicUrl : undefined
}

function wordOf(dataDir: string): { pid: number; publicUrl: string } | undefined {
  try {
    return JSON.parse(readFileSync(path(dataDir), 'utf8'))
  } catch {
    return undefined
  }
}
