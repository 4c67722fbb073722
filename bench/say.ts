/** Tells the person at the terminal how far the bench is, a line at a time. */
export type Say = (line: string) => void
