/**
 * Files whose tests say how soon something must be so, in so few milliseconds that more tests at once than a machine has
 * processors would be what is measured, and those in which a browser draws into live video, which falls further behind with every
 * picture that comes late. They come after all others, fewer at a time.
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
  'media/program',
  'nodes/bus-redis',
  'nodes/clock',
  'nodes/fan-out',
  'nodes/keys',
  'nodes/links-loss',
  'nodes/member',
  'nodes/presence',
  'resources/long-match',
  'resources/standings-season',
  'streams/burn-in',
].map((name) => `test/${name}.test.ts`)
