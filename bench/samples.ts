/** Marked values are this plus a running number, so that they always have ten digits. */
export const markerBase = 1_000_000_000

const maxTriggers = 2_000_000
const maxSamples = 4_000_000

/** Memory that the sender and the renderers share: when a trigger was meant to be sent, and how long its frames took. */
export type Samples = {
  /** By running number: ms of the common clock. */
  intended: Float64Array
  /** ms from the intended send time to the read of the frame. */
  latency: Float32Array
  /** Running number of the trigger of each sample. */
  trigger: Uint32Array
  /** [0]: samples so far. */
  count: Int32Array
}

export function createSamples(): Samples {
  return {
    intended: new Float64Array(new SharedArrayBuffer(maxTriggers * 8)),
    latency: new Float32Array(new SharedArrayBuffer(maxSamples * 4)),
    trigger: new Uint32Array(new SharedArrayBuffer(maxSamples * 4)),
    count: new Int32Array(new SharedArrayBuffer(4)),
  }
}

/** A way to put a number on air: `show` of this preset with this variable. */
export type Trigger = { presetId: number; graphicId: string; variable: string; asText: boolean }

/** How the JSON of a frame starts the value of the marked variable. */
export const markedKey = ({ variable, asText }: Trigger): string => `${JSON.stringify(variable)}:${asText ? '"' : ''}`
