/** The front of the description of the sockets. */
export const DESCRIPTION = `Sockets that tell what is on air.

# Following an overlay

\`/rest/v2/overlays/{overlayId}/socket\` tells hardware panels, scripts and dashboards the committed truth, so that nobody polls.
It wants an API key with \`overlays:read\` in a header; what is refused is answered as by any operation before the upgrade
(401, 403, 404, 429). At most 500 may follow an overlay with API keys, over all nodes; one more is 429 with \`Retry-After\`, as is
one more page, of 500 control rooms and 500 monitoring pages. The pages of an overlay have the same socket below their own secret address.

The server speaks, followers only listen: whoever sends anything is closed with 1008. Each message is one text frame,
\`{"type": …, "payload": {…}}\`. New members and new types may come: ignore what you do not know.

1. \`SNAPSHOT\` is the whole state. It comes first, and again whenever the difference cannot be told: forget everything before it.
2. \`CHANGE\` is one command that took effect. Take what is in \`hidden\` off your picture, then put what is in \`shown\` onto it, by
   \`graphicId\`; the same with \`uncued\` and \`cued\` for what is on preview, and with \`unscheduled\` and \`scheduled\` by \`id\`;
   \`rundown\` takes the place of what was told of it. Nothing is told that is not durable.
3. \`PAINTED\` says how many renderers have a graphic on screen as of its \`seq\`; one about another \`seq\` than yours is old.
4. \`NAMES\` says what the players, teams and facts are called whose ids stand in \`variableValues\`: it replaces the \`names\` of a graphic with
   the same \`seq\`. A \`CHANGE\` waits for nobody, so it carries none; they follow within a moment.
5. \`RENDERERS\`, \`MATCH\` and \`OVERLAY\` replace what was known. \`ROOM\`: read the control room again.
6. \`PLAN\` is what the game plan of the overlay does: whether the overlay is automatic, what runs until when, who holds which layer, what comes next
   and why a rule did not fire. It comes behind each \`SNAPSHOT\` and replaces what was known, at most four times a second: what happens in between is in the next one.
7. \`UNDO\` (Beta) is what \`{"action":"undo"}\` would do, or null: behind a \`SNAPSHOT\`, and within 100 ms after each \`CHANGE\` that shows or hides
   something. Until it comes, and after its \`until\`, nobody knows of anything to undo. A command with its \`seq\` undoes no other one.
8. \`PICTURES\` (Beta) is what is wrong with graphics on preview, and in rehearsal with what it shows in the place of the air, as the pages that
   show it say: behind a \`SNAPSHOT\` when something is, and it replaces what was known.
9. \`PULSE\` comes after two seconds of silence, with the cursor that you should have: with another one, reconnect. Who hears
   nothing for five seconds is not connected any more.

# Resuming

Reconnect with \`?cursor=\` and the newest cursor that was heard (in \`SNAPSHOT\`, \`CHANGE\` and \`PULSE\`). Every change since then comes
first, in order, none twice; then how everything else stands. When too much happened, or the journal does not go back
that far, a \`SNAPSHOT\` comes instead. Wait a random time between tries, longer each time, at most some seconds.

# Closing

1001 and 1006: reconnect. 1008: the address was replaced, the overlay deleted, or the key deleted or expired; the reason says
which. 1012: the server restarts, reconnect. 1013: you read too slowly, or as many follow the
overlay as may and you came last: reconnect.

# Renderers

\`/overlay/{key}/socket\` is what the overlay page itself speaks. Whoever renders graphics otherwise can speak it, too.`

type Socket = { title: string; description: string }

export const SOCKETS = {
  overlay: {
    title: 'Follow an overlay',
    description: 'For panels and scripts, with an API key that has `overlays:read`.',
  },
  controlPage: { title: 'The control room page', description: 'The same, for the page of an operator.' },
  monitoringPage: { title: 'The monitoring page', description: 'The same, for the page of a producer.' },
  desk: {
    title: 'The desk of a match',
    description:
      'Beta. Tells the page at the pitch that something changed; what it is, it reads below its own address.',
  },
  renderer: {
    title: 'Render an overlay',
    description: 'What is on air as loads and updates of graphics, and what was painted.',
  },
} as const satisfies Record<string, Socket>

/** The meaning of each message, by its type. */
export const MESSAGES: Readonly<Record<string, string>> = {
  SNAPSHOT: 'The whole state: first, and again whenever the difference cannot be told',
  CHANGE: 'One command took effect; `refresh` is new live data for everything on air and changes nothing else',
  PAINTED: 'How many renderers have graphics on screen; at most ten a second',
  RENDERERS: 'All connected renderers, the first 500 of more; at most once a second, when something changed',
  PICTURES:
    'Beta. What pictures beside the air say to be wrong with graphics: preview, and in rehearsal what it shows; behind a `SNAPSHOT` when something is, and at most once a second, when something changed',
  NAMES:
    'What the records are called that values of graphics name, soon after a `CHANGE` and when the match changed; replaces what was known',
  MATCH: 'Score and clock of the match, by sets where it is played in sets; also when its line-ups or teams changed',
  OVERLAY: 'The settings of the overlay changed',
  PLAN: 'What the game plan does, as `GET /v2/overlays/{overlayId}/game-plan` answers; behind each `SNAPSHOT` and after each change, at most four times a second',
  UNDO: 'Beta. What an undo would do now; null: nothing. After each change of what is on air',
  ROOM: 'The presets, sections, theme version or rules of the game plan behind the overlay changed: what was read of them is out of date',
  PULSE: 'After two seconds of silence',
  DESK_CHANGED: 'Beta. Facts, line-ups, squads or the match behind a desk changed: read them again',
  DESK_PULSE: 'Beta. At once on open, and every four seconds: who hears nothing for twelve is not connected any more',
  HELLO: 'At once on open, behind the answer to READY with `?caughtUp=1`, and as a heartbeat',
  READY: 'What a renderer shows, after HELLO; later, what it painted: one graphic as of a seq',
  PROBLEMS:
    'With `?problems=1`: all that is wrong with graphics now and whether its program shows it, in place of what was said before; at most ten in a second, better one',
  PLAYED:
    'Beta. An OGraf graphic that plays out by itself has done so, as of the seq that it was shown with: it is taken off air',
  ANSWER: 'Beta. With `?answers=1`: how the `call` of a frame ended in an OGraf graphic',
  LOAD_GRAPHIC: 'A graphic to put on screen',
  PREPARE_GRAPHIC:
    'Beta. An OGraf graphic to load out of sight, or new values or an action of one that is; a renderer may ignore it',
  GRAPHIC_UPDATE: 'New values or data of a graphic on screen; `onAir: false` takes it off',
}
