import type { Brand } from '../shapes.ts'

/** The logo of a brand on its colour; its name while it has none. */
export function BrandMark({ brand }: { brand: Pick<Brand, 'name' | 'logoUrl' | 'primaryColor' | 'textColor'> }) {
  const { name, logoUrl, primaryColor, textColor } = brand
  return (
    <span className="brand-mark" style={{ background: primaryColor, color: textColor }} aria-hidden="true">
      {logoUrl ? <img src={pathOf(logoUrl)} alt="" /> : <span>{name.slice(0, 2)}</span>}
    </span>
  )
}

/** On this host, whatever the server calls itself; a picture that was just chosen is itself. */
const pathOf = (url: string) => (url.startsWith('data:') ? url : new URL(url, location.href).pathname)
