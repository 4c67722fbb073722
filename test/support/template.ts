/** The database that the embedded PostgreSQL is made with, migrated once for a run: each test file has a copy of it. */
export const TEMPLATE = 'tally'
