import { z } from 'zod'

/** The commands of an overlay in the words of logs and followers: those of people, and what the server does by itself. */
export const LoggedAction = z.enum(['show', 'update', 'hide', 'hideAll', 'autoHide', 'refresh'])
