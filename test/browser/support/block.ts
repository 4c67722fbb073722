/** Where the block stands in the picture. */
export const BLOCK = { x: 200, y: 200, width: 400, height: 300 }

/**
 * A graphic for tests: one block in `variableValues.colour`, at once on `settled` and by a fade of 400 ms otherwise. The
 * small square in its middle tells which of the two it was: white or black.
 */
export const block = ({ reports = true, mark = '' } = {}) => `<!doctype html><html><body style="margin:0">
<div id="block" style="position:absolute;left:${BLOCK.x}px;top:${BLOCK.y}px;width:${BLOCK.width}px;height:${BLOCK.height}px;opacity:0">
<div id="how" style="position:absolute;left:150px;top:100px;width:100px;height:100px"></div></div>
<script>
  // ${mark}
  const block = document.getElementById('block'), how = document.getElementById('how')
  let onAir = false
  addEventListener('message', ({ data: { type, payload, settled } }) => {
    if (type === 'HELLO') return parent.postMessage({ type: 'READY', payload: ${reports ? '{ reportsPaint: true }' : '{}'} }, '*')
    if (payload.sport !== 'football') throw new Error('no sport')
    if (payload.variableValues) block.style.background = payload.variableValues.colour
    if (type === 'LOAD_GRAPHIC') {
      if (!onAir) how.style.background = settled ? 'white' : 'black'
      block.style.transition = settled ? 'none' : 'opacity 400ms'
      block.style.opacity = 1
      onAir = true
    } else if (payload.onAir === false) {
      block.style.opacity = 0
      onAir = false
    }
    ${reports ? "requestAnimationFrame(() => setTimeout(() => parent.postMessage({ type: 'READY', payload: { seq: payload.seq } }, '*')))" : ''}
  })
</script></body></html>`

/** One of several that stand side by side, each there or gone at once. */
export const tile = (index: number) => `<!doctype html><html><body style="margin:0">
<div id="tile" style="position:absolute;left:${tileAt(index)[0] - 50}px;top:500px;width:100px;height:100px;background:red;visibility:hidden"></div>
<script>
  addEventListener('message', ({ data: { type, payload } }) => {
    if (type === 'HELLO') return parent.postMessage({ type: 'READY', payload: {} }, '*')
    document.getElementById('tile').style.visibility = type === 'LOAD_GRAPHIC' ? 'visible' : 'hidden'
  })
</script></body></html>`
/** The middle of a tile. */
export const tileAt = (index: number) => [300 + index * 200, 550] as const

/** A graphic that never answers the handshake. */
export const mute = '<!doctype html><html><body style="margin:0;background:red"></body></html>'

/** A graphic that throws at every message after the handshake. */
export const thrower = `<!doctype html><html><body><script>
  addEventListener('message', ({ data }) => {
    if (data.type === 'HELLO') return parent.postMessage({ type: 'READY', payload: {} }, '*')
    throw new Error('broken graphic')
  })
</script></body></html>`
