import { parentPort, workerData } from 'node:worker_threads'
import type { Decoded, DecoderSetup, Owned, Undecoded } from './decoder.ts'
import { Picture } from './picture.ts'

const { width, height, matrix }: DecoderSetup = workerData
const picture = new Picture(width, height, matrix)

let isFirst = true

parentPort?.on('message', ({ png, planes = new Uint8Array(picture.planes.length) }: Undecoded) => {
  parentPort?.postMessage(decode(png, planes), [planes.buffer])
})

function decode(png: Owned, planes: Owned): Decoded {
  try {
    // the first is news even when it is empty
    const changed = picture.take(png) || isFirst
    isFirst = false
    planes.set(picture.planes)
    return { planes, changed }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
