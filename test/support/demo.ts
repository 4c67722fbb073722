import { rmSync } from 'node:fs'
import { createDemo, type Demo } from '../../src/demo/seed.ts'
import type { TestApp } from './app.ts'
import { emptyDemoTheme } from './demo-theme.ts'

/** Empty pages are quick and independent of a build; or pages of a test's own, by the folder of the graphic. */
export type Graphics = 'empty' | 'built' | Readonly<Record<string, string>>

/** The demo production in a running server. */
export async function seedDemo(app: TestApp, name = 'Demo', graphics: Graphics = 'empty'): Promise<Demo> {
  const parts = { db: app.database.db, request: app.app.request, publicUrl: app.origin }
  if (graphics === 'built') return createDemo(parts, name)
  const themeFolder = emptyDemoTheme(graphics === 'empty' ? {} : graphics)
  try {
    return await createDemo({ ...parts, themeFolder }, name)
  } finally {
    rmSync(themeFolder, { recursive: true, force: true })
  }
}
