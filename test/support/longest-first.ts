import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first, under `test/`. */
const LONG = [
  'main',
  'workers/auto-stream',
  'chaos/kill',
  'browser/motion',
  'media/program',
  'browser/problems',
  'cli/themes',
  'store/embedded',
  'browser/overlay',
  'cli/admin',
  'browser/control',
  'browser/bad-lines',
  'chaos/clients',
  'cli/providers',
  'fuzz/overlay',
  'machines/play',
  'browser/dashboard',
  'generated/walk',
  'store/backup',
  'browser/preview',
  'resources/motion-graphics-imports',
  'journey/restore',
  'accounts/sign-in',
  'journey/stream',
  'media/ingest-srt',
  'workers/provider-sync',
  'browser/graphics',
  'browser/dashboard-records',
  'journey/readme',
].map((name) => `test/${name}.test.ts`)

/** A new machine knows no durations, and would leave a file of over a minute alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.indexOf(relative(this.ctx.config.root, moduleId))
      return at < 0 ? LONG.length : at
    }
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}
