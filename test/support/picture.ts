import { type GraphicUpdate, ServerFrame } from '../../src/realtime/renderers/protocol.ts'

export type ShownGraphic = {
  seq: number
  presetId: number
  variableValues: Record<string, unknown>
  data: unknown
}

/** What a renderer has on screen, by the rules of contract "The overlay page and its socket". Throws on a frame that breaks the protocol. */
export class Picture {
  readonly graphics = new Map<string, ShownGraphic>()
  /** Frames dropped since they were older than what is on screen. */
  dropped = 0
  /** Highest seq per graphic since the last HELLO. live-path 17 */
  #seqs = new Map<string, number>()

  /** Applies one frame; answers what there is to report as painted. */
  apply(text: string): { graphicId: string; seq: number } | undefined {
    const frame = ServerFrame.parse(JSON.parse(text))
    if (frame.type === 'HELLO') {
      this.#seqs = new Map()
      return undefined
    }
    // nothing of it is on screen
    if (frame.type === 'PREPARE_GRAPHIC') return undefined
    const { graphicId, seq } = frame.payload
    if (seq < (this.#seqs.get(graphicId) ?? 0)) {
      this.dropped++
      return undefined
    }
    this.#seqs.set(graphicId, seq)
    if (frame.type === 'LOAD_GRAPHIC') {
      const { presetId, variableValues, data } = frame.payload
      this.graphics.set(graphicId, { seq, presetId, variableValues, data })
    } else if (!frame.payload.onAir) this.graphics.delete(graphicId)
    else this.#update(graphicId, frame.payload)
    return { graphicId, seq }
  }

  showing(): { graphicId: string; seq: number }[] {
    return [...this.graphics].map(([graphicId, { seq }]) => ({ graphicId, seq }))
  }

  #update(graphicId: string, payload: GraphicUpdate['payload']): void {
    const shown = this.graphics.get(graphicId)
    if (!shown) throw new Error(`an update of ${graphicId}, which was never loaded`)
    shown.seq = payload.seq
    if (payload.variableValues !== undefined) shown.variableValues = payload.variableValues
    if (payload.presetId !== undefined) shown.presetId = payload.presetId
    if ('data' in payload) shown.data = payload.data
  }
}
