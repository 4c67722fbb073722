/** The value of a cell of a file; text is as it was typed, dates of a workbook are ISO text. */
export type Cell = string | number | boolean | null

/** The cells of a file by row and column, from the first of each; rows may be of different length. */
export type Grid = readonly (readonly Cell[])[]

export type Shape = 'cell' | 'kv' | 'rows'

/** How a file is read. Rows count from 1; options that are absent or null are found out. */
export type ParseOptions = {
  /** The row with the names of the columns; false: there is none. */
  headerRow?: number | false | null | undefined
  dataStartRow?: number | null | undefined
  delimiter?: ',' | ';' | '\t' | '|' | null | undefined
  /** Name, or place from 1. */
  sheet?: string | number | null | undefined
  /** `A1:F20`: nothing outside is looked at. */
  range?: string | null | undefined
  /** `B2`: the one cell of shape `cell`. */
  cell?: string | null | undefined
}

/** A table whose first row was its header, or the one cell that was asked for. */
export type Table = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

export const LIMITS = {
  /** Of a sample and of a push, as sent. */
  bytes: 1_048_576,
  rows: 5_000,
  columns: 256,
  /** Of the value made of a file or push, as JSON text: the names of columns are in every row. */
  valueCharacters: 4_194_304,
  /** Of a schema that is sent, as JSON text. */
  schemaCharacters: 65_536,
  /** Of the name of a column or key. */
  nameCharacters: 128,
  /** Rows of a sample that are kept to be looked at. */
  sampleRows: 20,
} as const
