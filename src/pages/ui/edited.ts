/** A sponsor slot stands for the brand that is chosen at the show. */
export type Value = Nested | { slot: string }
/** Of an OGraf graphic also lists and objects. */
export type Nested = string | number | boolean | null | readonly Nested[] | { readonly [name: string]: Nested }

/** A control variable as its editor sees it. */
export type EditedVariable = {
  label: string
  type: string
  options?: readonly string[] | undefined
  defaultValue?: Value | undefined
  description?: string | undefined
  /** Of an OGraf graphic: the kind of its editor, and what its values are. */
  gddType?: string | undefined
  schema?: Readonly<Record<string, unknown>> | undefined
}

/** Something that a variable may name. */
export type Choice = { value: string | number | { slot: string }; label: string; group?: string | undefined }

export type Given = {
  variable: EditedVariable
  value: Value
  choices: readonly Choice[]
  changed: boolean
  /** The one that the focus goes to when the panel is opened. */
  first?: boolean
  /** The id of the text that is read out with it beside its description. */
  errorId?: string | undefined
  /** The label of the way back. */
  back?: string
  onChange: (value: Value) => void
  onReset: () => void
}

/** With the id of its control. */
export type Part = Given & { id: string }
