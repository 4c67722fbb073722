/** What a sync did to the records of one kind; `skipped` were refused, or deleted by hand before. */
export type Counts = { created: number; updated: number; unchanged: number; skipped: number }
