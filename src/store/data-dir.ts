import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes the folder when it is missing, and sees that files can be made in it. Throws one line that names DATA_DIR. */
export function openDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`DATA_DIR: cannot use ${dataDir}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

// as `mkdir -p`: the one of Node never comes back where a file system takes no folders, such as /proc
function makeFolder(path: string): void {
  const known = statSync(path, { throwIfNoEntry: false })
  if (known?.isDirectory()) return
  if (known) throw new Error(`${path} is not a folder`)
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // made by another process in the meantime
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
