/** Tells the person who waits for the bench how far it is, a line at a time. */
export type Say = (line: string) => void
