import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first, then those of the quick run that wait more than they compute, under `test/`. */
const LONG = [
  'journey/operating',
  'main',
  'media/program',
  'browser/motion',
  'workers/redis',
  'browser/problems',
  'workers/auto-stream',
  'fuzz/overlay',
  'generated/walk',
  'chaos/clients',
  'resources/themes-concurrency',
  'chaos/nodes/nodes',
  'media/ingest-srt',
  'media/far-ends',
  'streams/auto-stream',
  'browser/dashboard',
  'journey/stream',
  'chaos/kill',
  'browser/control',
  'resources/motion-graphics-imports',
  'store/embedded/open',
  'browser/bad-lines',
  'browser/overlay',
  'nodes/upgrade',
  'nodes/media-moves',
  'nodes/links-loss',
  'workers/provider-sync',
  'workers/faults',
  'journey/readme',
  'journey/restore',
  'browser/dashboard-records',
  'browser/graphics',
  'workers/postgres',
  'realtime/slow-line',
  'machines/play',
  'nodes/model',
  'store/driver',
  'resources/logos',
  'resources/data-sources-on-air',
  'nodes/member',
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
