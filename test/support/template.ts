/** The migrated database of a run: each test file has a copy of it. */
export const TEMPLATE = 'tally_template'
