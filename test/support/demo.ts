import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDemo, type Demo } from '../../src/demo/seed.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import type { TestApp } from './app.ts'
import { emptyDemoTheme } from './demo-theme.ts'

/** The demo production in a running server, with empty pages for graphics: quick, and independent of a build. */
export async function seedDemo(app: TestApp, name = 'Demo'): Promise<Demo> {
  const themeFolder = emptyDemoTheme()
  try {
    const blobs = createFolderBlobs(join(app.dataDir, 'blobs'))
    return await createDemo({ db: app.database.db, blobs, publicUrl: app.origin, themeFolder }, name)
  } finally {
    rmSync(themeFolder, { recursive: true, force: true })
  }
}
