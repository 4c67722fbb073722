/** Members of records that are addresses of pictures. */
const PICTURE_OF: Readonly<Record<string, string>> = { team: 'logoUrl', player: 'photoUrl', ad: 'logoUrl' }

type Bound = {
  expression?: string | undefined
  exposed?: { expression?: string | undefined; entityType?: string | undefined } | undefined
  /** Whether it draws a picture. */
  isPicture: boolean
}

/**
 * The expression that computes a binding or an asset: its own, else that of its exposure, else the picture of what operators select
 * by the first control variable of the exposure's type of record. Empty when nothing does.
 */
export function sourceOf(
  { expression = '', exposed, isPicture }: Bound,
  variables: readonly { name: string; type?: string | undefined }[],
): string {
  if (expression.trim() !== '') return expression
  if (exposed?.expression?.trim()) return exposed.expression
  const picture = PICTURE_OF[exposed?.entityType ?? '']
  const variable = isPicture && picture ? variables.find(({ type }) => type === exposed?.entityType) : undefined
  if (!variable) return ''
  const record = `selected[${JSON.stringify(variable.name)}]`
  // no record selected, or one without a picture: no fault, and nothing is drawn
  return `${JSON.stringify(variable.name)} in selected && "${picture}" in ${record} ? ${record}.${picture} : null`
}
