import { z } from 'zod'

/** What people command of graphics, over REST and on pages. */
export const GRAPHIC_ACTIONS = [
  'show',
  'update',
  'hide',
  'hideAll',
  'cue',
  'uncue',
  'take',
  'batch',
  'undo',
  'step',
  'custom',
] as const

/**
 * The commands of an overlay in the words of logs and followers: those of people, also over the OGraf Server API (`load` to `clear`) and of the
 * rundown, and what the server does by itself: it hides a graphic whose time is up, announces live data, and drops a scheduled command that was
 * missed, or refused at its time.
 */
export const LoggedAction = z.enum([
  ...GRAPHIC_ACTIONS,
  'load',
  'play',
  'stop',
  'clear',
  'rehearse',
  'next',
  'previous',
  'schedule',
  'unschedule',
  'missed',
  'refused',
  'autoHide',
  'refresh',
])
