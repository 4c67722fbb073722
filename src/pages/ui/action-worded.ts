const WORDS: Readonly<Record<string, string>> = {
  show: 'Show',
  update: 'Update',
  hide: 'Hide',
  hideAll: 'Hide all',
  cue: 'Cue',
  uncue: 'Uncue',
  take: 'Take',
  batch: 'At once',
  undo: 'Undo',
  step: 'Step',
  custom: 'Action',
  load: 'Load',
  play: 'Play',
  stop: 'Stop',
  clear: 'Clear',
  rehearse: 'Rehearsal',
  next: 'Rundown, next',
  previous: 'Rundown, back',
  schedule: 'Schedule',
  unschedule: 'Off schedule',
  missed: 'Missed',
  refused: 'Refused',
  autoHide: 'Time up',
}

/** The actions that a log of graphics is filtered by, with the words that people read. */
export const actionsWorded: readonly (readonly [action: string, words: string])[] = Object.entries(WORDS)

/** An action of a log in words; one that a newer server knows stays as it is. */
export const actionWorded = (action: string): string => WORDS[action] ?? action
