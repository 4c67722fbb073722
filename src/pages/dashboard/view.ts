/** The props of a view: the parameters of its path. */
export type ViewProps = { params: Readonly<Record<string, string>> }
