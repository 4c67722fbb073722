import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first, then those of the quick run that wait more than they compute, under `test/`. */
const LONG = [
  'chaos/clients',
  'generated/walk',
  'browser/motion',
  'fuzz/overlay',
  'browser/problems',
  'browser/director',
  'chaos/kill',
  'http/every-route',
  'chaos/nodes/nodes',
  'main',
  'nodes/clock',
  'journey/operating',
  'browser/control',
  'browser/dashboard',
  'media/ingest-srt',
  'media/program',
  'attack/stream-urls',
  'workers/auto-stream',
  'nodes/media-moves',
  'journey/stream',
  'media/far-ends',
  'streams/auto-stream',
  'journey/readme',
  'resources/sport-data',
  'browser/overlay',
  'resources/motion-graphics-imports',
  'journey/restore',
  'store/embedded/open',
  'chaos/game-plan',
  'resources/limits',
  'workers/redis',
  'resources/themes-concurrency',
  'store/secrets-migration',
  'browser/preview',
  'browser/nodes',
  'media/pull',
  'http/uws-bodies',
  'nodes/links-loss',
  'browser/dashboard-records',
  'media/ingest-rtmp',
  'resources/lineups',
  'accounts/people',
  'nodes/model',
  'resources/stream-inputs',
  'browser/docs',
  'parsing/pool',
  'nodes/two-nodes',
  'workers/postgres',
  'http/beta',
  'realtime/slow-line',
  'browser/graphics',
  'browser/ill-behaved',
  'browser/ograf',
  'theme-files/game-plan',
  'store/backup',
  'store/secrets',
  'workers/provider-sync',
  'theme-files/motion',
  'resources/scenarios',
  'cli/providers',
  'http/balancer',
  'browser/bad-lines',
  'workers/faults',
  'machines/play',
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
