/**
 * Files whose tests say how soon something must be so, in so few milliseconds that more tests at once than a machine has
 * processors would be what is measured. They come after all others, fewer at a time.
 */
export const MEASURED = [
  'attack/expressions',
  'attack/slow-readers',
  'browser/desk-latency',
  'browser/latency',
  'chaos/clients',
  'chaos/database',
  'chaos/kill',
  'chaos/locks',
  'chaos/nodes/automatic',
  'chaos/nodes/nodes',
  'chaos/press',
  'media/encoding-delay',
  'nodes/bus-redis',
  'nodes/clock',
  'nodes/fan-out',
  'nodes/keys',
  'nodes/links-loss',
  'nodes/member',
  'nodes/presence',
  'resources/long-match',
  'resources/standings-season',
].map((name) => `test/${name}.test.ts`)
