/** What events are of, in the order in which they are chosen. */
export const EVENT_GROUPS = ['Matches', 'On air', 'Renderers', 'Streams', 'Themes', 'Game plan', 'Others'] as const
type EventGroup = (typeof EVENT_GROUPS)[number]

const KNOWN: Readonly<Record<string, readonly [group: EventGroup, words: string]>> = {
  'match.score_changed': ['Matches', 'The score changed'],
  'match.state_changed': ['Matches', 'A match began, paused or ended'],
  'match.fact_created': ['Matches', 'A fact was told: a goal, a card'],
  'match.fact_updated': ['Matches', 'A fact was corrected'],
  'match.fact_deleted': ['Matches', 'A fact was taken back'],
  'match.lineup_updated': ['Matches', 'A line-up changed'],
  'match.created': ['Matches', 'A match was made'],
  'match.updated': ['Matches', 'A match was changed'],
  'overlay.graphic_shown': ['On air', 'A graphic went on air'],
  'overlay.graphic_updated': ['On air', 'Values of a graphic changed'],
  'overlay.graphic_hidden': ['On air', 'A graphic went off air'],
  'overlay.graphic_not_painted': ['Renderers', 'Nobody painted a graphic in time'],
  'overlay.renderer_connected': ['Renderers', 'A browser source came'],
  'overlay.renderer_lost': ['Renderers', 'A browser source is gone'],
  'overlay.created': ['On air', 'An overlay was made'],
  'stream.state_changed': ['Streams', 'A stream started or stopped'],
  'destination.status_changed': ['Streams', 'A destination connected or failed'],
  'input.connected': ['Streams', 'Video came in'],
  'input.lost': ['Streams', 'Video is gone'],
  'theme.version_published': ['Themes', 'A version was published'],
  'theme.version_activated': ['Themes', 'A version was activated'],
  'gameplan.fired': ['Game plan', 'A rule fired'],
  'gameplan.suppressed': ['Game plan', 'A rule did not fire'],
  'webhook.test': ['Others', 'A test'],
}

export const groupOf = (type: string): EventGroup => KNOWN[type]?.[0] ?? 'Others'

/** What an event says, for people; its type where this page has no words for it. */
export const wordsOf = (type: string): string => KNOWN[type]?.[1] ?? type
