type By = { readonly type: string; readonly name: string | null }

/** Who or what asked for something, as logs name it: `anna`, `Control room page`, `Game plan: Goal scorer`. */
export function byWorded({ type, name }: By): string {
  if (type === 'link') return 'Control room page'
  if (type === 'desk') return 'Match desk'
  return type === 'gamePlan' ? `Game plan: ${name}` : (name ?? type)
}
