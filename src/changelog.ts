/** One version of the API. Entries are never edited once released; a behaviour change adds one in the same commit. */
export type ChangeEntry = {
  readonly version: string
  /** ISO day. */
  readonly date: string
  readonly changes: readonly string[]
  /** Operations that became deprecated that day: `GET /v1/teams`. spec: Versioning 5 */
  readonly deprecates?: readonly string[]
}

/** The change history, oldest first; the newest version is that of the API description. spec: Versioning 6, 7 */
export const changelog: readonly ChangeEntry[] = [
  {
    version: '0.0.20',
    date: '2026-08-17',
    changes: [
      'Match requests no longer accept `matchTier`: it is ignored.',
      'List routes take the provider filters `providerName` and `providerIds`.',
      'Expression escapes such as `\\n` and `\\d` are read correctly.',
    ],
  },
  {
    version: '0.0.21',
    date: '2026-09-07',
    changes: [
      'Lineup players carry `teamId` and `starting`.',
      'Updating and deleting a fact verify that it belongs to the match.',
      'Colour bindings apply only a `#rgb`, `#rrggbb` or `#rrggbbaa` string or a finite number read as ARGB.',
    ],
  },
  {
    version: '0.0.22',
    date: '2026-09-28',
    changes: [
      'Control-room graphics take the action `update`.',
      'Overlay responses carry `monitoringUrl`.',
      'Data source templates made from CSV accept empty cells.',
    ],
  },
  {
    version: '0.0.23',
    date: '2026-10-19',
    changes: ['Team, roster, staff and logo write routes were added.'],
  },
  {
    version: '0.0.24',
    date: '2026-11-20',
    changes: [
      'Writes take an `Idempotency-Key`: the same key with the same request within 24 hours returns the first response.',
      'Every response carries `X-Request-Id`; while limits are enforced also `RateLimit` and `RateLimit-Policy`.',
      'The as-run log of an overlay can be read.',
    ],
  },
  {
    version: '0.0.25',
    date: '2026-11-20',
    changes: [
      'Teams are listed with filters; clubs hold what their teams have in common.',
      'Competitions are updated, and teams are assigned to them and taken out.',
      'Teams and clubs have a logo, sent by a signed upload.',
      'Roster players are read one by one, put on another team and taken off a roster.',
      'Players and officials are read one by one; venues are created and updated.',
      'Line-ups are replaced per team; a formation may be set.',
      'Matches are created, changed and deleted in both versions; lists filter by `state`, `include` knows `s`, `f`, `l` and `p`.',
      'Facts of a match are recorded, corrected and deleted, and drive its state, period, clock and score; matches have a summary.',
      'The JSON Schema of the feed that a connected data provider serves can be read.',
      'The JSON Schema of the data that graphics receive can be read for each sport; that data follows the match live.',
    ],
  },
  {
    version: '0.0.26',
    date: '2026-11-20',
    changes: [
      'Writes of themes and of what belongs to them take `ifUnchangedSince` and answer the new `updatedAt`.',
      'Themes are created, updated and deleted; their versions are published, tried out, listed, activated and rolled back.',
      'Theme variables are created, updated and deleted; a change reaches graphics on air.',
      'Theme profiles are created, updated and archived; a change of a value reaches graphics on air.',
      'The change history is also at `/docs/changes.json`; answers to other methods and to preflights say when a path is Beta.',
      'The JSON Schema of the values of each type of control variable can be read.',
      'Control rooms, their sections and presets are created, changed, put in order and deleted; each preset is read by itself.',
      'Data source templates are created from csv and xlsx samples, changed and deleted.',
      'Match situations of every sport can be listed and read as scenarios, with the data that graphics are given in them.',
      'Code graphics are created, updated, deleted and published; bundles of up to 2,000 files are uploaded by signed addresses.',
      'A code graphic is held for five minutes by its lock; other keys then get 409 `LOCKED`.',
      'User expressions of graphics are computed: `data.expressions` in what graphics are given; they can be tried on a scenario, a match or any data.',
      'The sample of a data source template can be read as it was sent, to copy a theme with it.',
      'Data is pushed into data sources as JSON or CSV, read back and cleared; it reaches graphics on air as `data.dataSources`.',
      'A code graphic can be looked at in a browser without a key, in any scenario, at an address that lasts a day.',
      'Frames carry the defaults of control variables as `data.defaults`; graphics find them in `variableValues`.',
    ],
  },
  {
    version: '0.0.27',
    date: '2026-11-20',
    changes: [
      'Streams, their inputs and destinations are created, read, changed and deleted; inputs get another key.',
      'A stream, an input or a destination is watched over: bitrates with their history, faults, and what happened.',
      'Matches with `include=s` show their streams in full; neither matches nor overlays of running streams are deleted.',
      'Auto Stream is turned on and off with the automation of a stream.',
      'Streams are started and stopped, go live, and hide or show their graphics; destinations are started and stopped one by one.',
      'Motion graphics are created, listed, read, changed, deleted and published; their files are imported by signed uploads, looked at, and applied.',
      'Control variables and user expressions of motion graphics are added, changed and deleted; data bindings, inputs and assets are computed by expressions.',
      'The data bindings and user expressions of a motion graphic can be tried on a scenario, a match or any data.',
    ],
  },
  {
    version: '0.0.28',
    date: '2026-11-20',
    changes: [
      'The as-run log of a match can be read; as-run logs filter by graphic, preset, who and `adType`, and outlive their overlay.',
      'The addresses of an overlay are replaced one by one; what came by an old one is shut out at once.',
      'An overlay is followed over a socket, described by `asyncapi.json`: every command, what renderers painted, the match and the room.',
      '`controlRoomUrl` is told to keys with `overlays:write` only: its page commands graphics.',
      'Proof of play: seconds on screen per graphic and brand, of an overlay or a match, reconciled with what renderers painted.',
      'What an overlay had on air is read step by step, and played at any speed at an address that lasts a day.',
    ],
  },
  {
    version: '0.0.29',
    date: '2026-11-21',
    changes: [
      'Followers of an overlay and the as-run log are told what the players, teams and facts are called that values name.',
      'Followers of an overlay are told the points of each set, of tennis also the points of the game, and who serves.',
      'Followers of an overlay are told why a renderer does not paint a graphic, or not as it should.',
    ],
  },
  {
    version: '0.0.30',
    date: '2026-11-22',
    changes: [
      'Lists of the as-run log take `cursor` beside `offset` and tell the next one as `nextCursor`; as CSV without `limit` the whole log, or all plays of a proof of play, are sent.',
      'As-run and proof of play of a match are opened by `matches:read` too.',
      'Of motion graphics only list, uploads and file metadata refuse with `code` and a list of details; all other operations answer the common errors. What answered 422 answers 400.',
      'An `updatedAt` that was cut to milliseconds is taken as `ifUnchangedSince` when nothing changed.',
      'Of motion graphics `exposed.required` is held against at publication, `exposed.entityType` draws a picture, `selectedSport` is what trials begin with.',
      'Stream inputs: without `streams:write`, `streamKey` is empty, and `srtUrl` and `sourceUrl` show only their host.',
      '`url` of stream destinations and `sourceUrl` of inputs must not hold an `@`: put tokens into path, query or `streamKey`.',
      'A pattern that stands in an expression as a text is checked when it is saved; one that is broken or too large answers 400. All user expressions of a graphic may have 10,000 nodes together.',
      '`evaluate` answers 400 when it takes more than a second, and 503 with `Retry-After` when too much waits.',
      'The page of a control room sets only the variables that its presets expose; others answer 400.',
      'A WebSocket of another version than 13 is refused with 426. `/metrics` answers on the machine itself only, unless `METRICS_TOKEN` or `METRICS_PORT` is set.',
    ],
  },
]

/** The version of the newest entry. */
export const apiVersion = (entries: readonly ChangeEntry[]): string => entries.at(-1)?.version ?? '0.0.0'

/** The day on which an operation became deprecated. */
export const deprecatedOn = (entries: readonly ChangeEntry[], operation: string): string | undefined =>
  entries.find(({ deprecates }) => deprecates?.includes(operation))?.date

/** Everything that was deprecated, the oldest first: `[operation, since]`. */
export const deprecations = (entries: readonly ChangeEntry[]): [operation: string, since: string][] =>
  entries.flatMap(({ date, deprecates = [] }) => deprecates.map((operation): [string, string] => [operation, date]))
