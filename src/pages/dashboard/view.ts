/** What a view is given: the parameters of its path. */
export type ViewProps = { params: Readonly<Record<string, string>> }
