import { worded } from '../../schema/worded.ts'

/** `streamInput.created` -> `Stream input created`, `person.signed-in` -> `Person signed in`. */
export const eventInWords = (type: string): string => worded(type.replace(/[.-]/g, ' '))
