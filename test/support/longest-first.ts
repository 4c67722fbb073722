import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first, under `test/`. */
const LONG = [
  'workers/auto-stream',
  'main',
  'journey/operating',
  'media/program',
  'browser/problems',
  'browser/motion',
  'browser/bad-lines',
  'store/embedded/open',
  'generated/walk',
  'browser/overlay',
  'chaos/clients',
  'workers/redis',
  'browser/control',
  'workers/provider-sync',
  'workers/faults',
  'media/ingest-srt',
  'journey/readme',
  'browser/dashboard',
  'journey/stream',
  'streams/auto-stream',
  'browser/dashboard-records',
  'browser/graphics',
  'fuzz/overlay',
  'machines/play',
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
