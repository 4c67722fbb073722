/** The records that one request makes or changes. */
export const MOST = 200
/** A match has many rows, and an actor. */
export const MOST_MATCHES = 100
