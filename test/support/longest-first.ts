import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first, under `test/`. */
const LONG = [
  'generated/walk',
  'cli/admin',
  'workers/auto-stream',
  'media/program',
  'main',
  'browser/motion',
  'cli/themes',
  'cli/providers',
  'browser/overlay',
  'chaos/kill',
  'accounts/sign-in',
  'browser/graphics',
  'browser/dashboard',
  'workers/provider-sync',
  'browser/latency',
  'media/ingest-srt',
  'journey/stream',
  'browser/control',
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
