/** Changes of a sync to the records of one kind; `skipped` were refused, or deleted by hand before. */
export type Counts = { created: number; updated: number; unchanged: number; skipped: number }
