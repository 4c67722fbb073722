export type OnAir = {
  graphicId: string
  graphicName: string
  presetId: number
  variableValues: Record<string, unknown>
  sectionId: string
  /** ISO 8601; null while the time is being looked up. */
  since: string | null
}

export type Renderer = { name: string; connectedAt: string | null; lastPaintAt: string | null; lastSeq: number | null }

/** What the sockets of the monitor and control pages send, whole each time. */
export type State = {
  overlay: { id: number; name: string; encodingDelay: number }
  seq: number
  onAir: OnAir[]
  renderers: Renderer[]
}

/** Reads a frame; undefined for anything but a STATE. */
export function readState(text: unknown): State | undefined {
  try {
    const frame = JSON.parse(String(text))
    if (frame?.type !== 'STATE' || !Array.isArray(frame.payload?.onAir)) return undefined
    return frame.payload
  } catch {
    return undefined
  }
}
