/** A value of a theme variable as it is stored; a colour is shown beside it. */
export function ThemeValue({ value }: { value: string | null }) {
  if (value === null) return <span className="cell-about">no default</span>
  const colour = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)
  return (
    <span className="theme-value mono">
      {colour && <span className="swatch" style={{ background: value }} aria-hidden="true" />}
      {value === '' ? '(empty)' : value}
    </span>
  )
}
