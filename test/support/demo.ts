import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoGraphics } from '../../src/demo/graphics/manifests.ts'
import { createDemo, type Demo } from '../../src/demo/seed.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import type { TestApp } from './app.ts'

/** The demo production in a running server, with empty pages for graphics: quick, and independent of a build. */
export async function seedDemo(app: TestApp, name = 'Demo'): Promise<Demo> {
  const graphicsFolder = mkdtempSync(join(tmpdir(), 'tally-graphics-'))
  for (const { folder } of demoGraphics) {
    mkdirSync(join(graphicsFolder, folder))
    writeFileSync(join(graphicsFolder, folder, 'index.html'), '<!doctype html>')
  }
  try {
    const blobs = createFolderBlobs(join(app.dataDir, 'blobs'))
    return await createDemo({ db: app.database.db, blobs, publicUrl: app.origin, graphicsFolder }, name)
  } finally {
    rmSync(graphicsFolder, { recursive: true, force: true })
  }
}
