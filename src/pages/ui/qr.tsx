import './qr.css'
import { encode } from 'uqr'

/** An address as a QR code, for the camera of a telephone: drawn here, sent nowhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // a quiet zone of four modules is what readers are promised
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
