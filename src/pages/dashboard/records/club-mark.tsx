/** The logo of a team or club on its colour; what is short for its name while it has none. */
export function ClubMark({
  of,
}: {
  of: {
    name: string
    abbreviation?: string | undefined
    logoUrl?: string | undefined
    primaryBackgroundColor?: string | undefined
    primaryTextColor?: string | undefined
  }
}) {
  const { name, abbreviation, logoUrl, primaryBackgroundColor = '#1a2136', primaryTextColor = '#ffffff' } = of
  return (
    <span
      className="club-mark"
      style={{ background: primaryBackgroundColor, color: primaryTextColor }}
      aria-hidden="true"
    >
      {logoUrl ? <img src={here(logoUrl)} alt="" loading="lazy" /> : (abbreviation ?? name.slice(0, 3)).toUpperCase()}
    </span>
  )
}

/** On this host, whatever the server calls itself. */
export const here = (url: string): string => new URL(url, location.href).pathname

/** Colours of a record, each with its name for people who cannot see it. */
export function Swatches({ colours }: { colours: readonly (string | undefined)[] }) {
  const said = colours.filter((colour) => colour !== undefined)
  return (
    <span className="swatches" role="img" aria-label={said.join(', ') || 'none'}>
      {said.map((colour, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a colour may be there twice, and none moves
        <span key={index} className="swatch" style={{ background: colour }} />
      ))}
    </span>
  )
}
