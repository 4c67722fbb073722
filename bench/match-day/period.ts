/** `name` is `1st half`. */
export type Period = { number: number; type: string; name: string }
