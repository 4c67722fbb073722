import type { MotionManifest } from '../../motion/manifest.ts'
import { Assets } from './assets.ts'
import type { File, RendererKind, RiveCanvas, Started, WrappedRenderer } from './runtime.ts'
import { Scene, type View } from './scene.ts'

/** Longest out animation; the page around takes the picture away a little later. */
const OUT_MS = 2_300
/** How long a first show waits for its pictures, when it is to, and when there is no animation in which they may come. */
const PICTURES_WITHIN_MS = 2_000
const SETTLED_PICTURES_WITHIN_MS = 500
/** A source that got no frames for so long was hidden, and does not play frames that it missed. */
const HIDDEN_MS = 1_000
const LARGEST_PIXELS = 4096

export type Source = { bytes: Uint8Array; manifest: MotionManifest; base: string }
export type PlayerEvents = {
  problem(text: string): void
  /** The engine took the drawing context away. */
  lost(): void
}

/** A motion file with its canvas: draws while something moves, and rests when nothing does. */
export class Player {
  readonly kind: RendererKind
  readonly #rive: RiveCanvas
  readonly #file: File
  readonly #assets: Assets
  readonly #manifest: MotionManifest
  readonly #events: PlayerEvents
  readonly #canvas = document.createElement('canvas')
  #renderer: WrappedRenderer | undefined
  #scene: Scene | undefined
  #onAir = false
  #frame = 0
  #lastFrame = 0
  #leaving = 0
  #ticking = 0
  #owed = 0
  /** Counts shows and hides, so that a show that waited for pictures knows whether it is still asked for. */
  #asked = 0
  /** While a first show waits for its pictures: nothing moves, and nothing is said to be on screen. */
  #awaited: Promise<unknown> | undefined
  #painted: (() => void)[] = []
  now: () => number = Date.now

  private constructor(
    kind: RendererKind,
    rive: RiveCanvas,
    file: File,
    assets: Assets,
    source: Source,
    events: PlayerEvents,
  ) {
    this.kind = kind
    this.#rive = rive
    this.#file = file
    this.#assets = assets
    this.#manifest = source.manifest
    this.#events = events
  }

  /** Reads the file. Throws when it is none. */
  static async open({ kind, rive }: Started, source: Source, events: PlayerEvents): Promise<Player> {
    let wake = () => {}
    const { manifest, base } = source
    const assets = new Assets({ rive, manifest, base, changed: () => wake(), problem: events.problem })
    const file = await rive.load(source.bytes, assets.loader, false)
    if (!file) throw new Error('the motion file cannot be read')
    await assets.ready()
    const player = new Player(kind, rive, file, assets, source, events)
    wake = () => player.#wake()
    return player
  }

  get onAir() {
    return this.#onAir
  }

  /** `settled`: without its animation. Resolves when it is about to be drawn. */
  async show(view: View, settled: boolean): Promise<void> {
    const mine = ++this.#asked
    const fresh = !this.#onAir
    if (fresh) this.#open()
    const scene = this.#scene
    if (!scene) return
    this.#onAir = true
    window.clearTimeout(this.#leaving)
    // the values set first are those the graphic begins with; that it is on air is news
    const pictures = this.#set(scene, view)
    if (fresh) {
      scene.enter()
      if (this.#manifest.deferInitialShow) this.#awaited = within(PICTURES_WITHIN_MS, pictures)
    }
    // a second show waits for the same pictures
    if (this.#awaited) await this.#awaited
    else if (settled) await within(SETTLED_PICTURES_WITHIN_MS, pictures)
    if (mine !== this.#asked) return
    this.#awaited = undefined
    if (settled || document.hidden) scene.settle()
    else scene.advance(0)
    this.#canvas.className = 'at-once'
    this.#wake()
  }

  update(view: View) {
    const scene = this.#scene
    if (!scene || !this.#onAir) return
    void this.#set(scene, view)
    if (document.hidden) scene.settle()
    this.#wake()
  }

  hide(view: View, settled: boolean) {
    this.#asked++
    this.#awaited = undefined
    this.#onAir = false
    window.clearTimeout(this.#ticking)
    const scene = this.#scene
    if (!scene) return
    const plays = scene.exit(view, this.now()) && !settled && !document.hidden
    // one that knows no way out is faded out
    if (!plays) this.#canvas.className = settled || document.hidden ? 'gone at-once' : 'gone'
    this.#wake()
    this.#leaving = window.setTimeout(() => this.#close(), plays ? OUT_MS : 300)
  }

  /** To where it stays, for a picture that was hidden. */
  settle() {
    this.#scene?.settle()
    this.#wake()
  }

  /** Calls back when the values set now are on screen. */
  afterPaint(painted: () => void) {
    this.#painted.push(painted)
    this.#wake()
  }

  remove() {
    this.#asked++
    this.#awaited = undefined
    this.#assets.stop()
    this.#close()
    this.#canvas.remove()
  }

  async #set(scene: Scene, view: View) {
    const pictures = Promise.all([scene.set(view, this.now()), this.#assets.set(view.data.assets)])
    this.#tick()
    await pictures
    if (scene === this.#scene) this.#wake()
  }

  #open() {
    this.#close()
    const changed = () => this.#wake()
    this.#scene = new Scene(this.#rive, this.#file, this.#manifest, changed, this.#events.problem)
    this.#place(this.#scene)
    this.#renderer ??= this.#makeRenderer()
  }

  #makeRenderer() {
    document.body.append(this.#canvas)
    this.#canvas.addEventListener('webglcontextlost', () => this.#events.lost())
    return this.#rive.makeRenderer(this.#canvas)
  }

  /** A canvas of the size of the artboard on the picture, not of the whole picture. */
  #place(scene: Scene) {
    const { scale, x, y } = this.#manifest
    const { minX, minY, maxX, maxY } = scene.artboard.bounds
    const width = Math.max(1, (maxX - minX) * scale)
    const height = Math.max(1, (maxY - minY) * scale)
    const sharpness = Math.min(1, LARGEST_PIXELS / Math.max(width, height))
    this.#canvas.width = Math.round(width * sharpness)
    this.#canvas.height = Math.round(height * sharpness)
    Object.assign(this.#canvas.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
  }

  #close() {
    window.clearTimeout(this.#leaving)
    window.clearTimeout(this.#ticking)
    this.#scene?.delete()
    this.#scene = undefined
    this.#canvas.className = 'gone at-once'
    this.#wake()
  }

  #tick() {
    window.clearTimeout(this.#ticking)
    const again = this.#scene?.tick(this.now())
    if (again !== undefined && this.#onAir)
      this.#ticking = window.setTimeout(
        () => {
          this.#tick()
          this.#wake()
        },
        Math.max(1, again),
      )
  }

  #wake() {
    // a state machine may say that it is done before it has looked at the values
    this.#owed = 2
    this.#next()
  }

  #next() {
    this.#frame ||= requestAnimationFrame(this.#draw)
  }

  readonly #draw = (time: number) => {
    this.#frame = 0
    const scene = this.#scene
    const passed = this.#lastFrame === 0 ? 0 : time - this.#lastFrame
    let moving = false
    if (scene && !this.#awaited) {
      if (passed > HIDDEN_MS) scene.settle()
      else moving = scene.advance(passed / 1_000) || this.#owed-- > 0
    }
    this.#paint(scene)
    // after a rest the first frame shows the values, and time goes on from there
    this.#lastFrame = moving ? time : 0
    if (moving) this.#next()
    else if (scene && !this.#onAir && this.#canvas.className === 'at-once') this.#close()
    const painted = this.#awaited ? [] : this.#painted.splice(0)
    if (painted.length > 0)
      window.setTimeout(() => {
        for (const tell of painted) tell()
      })
  }

  #paint(scene: Scene | undefined) {
    const renderer = this.#renderer
    if (!renderer) return
    const { width, height } = this.#canvas
    renderer.clear()
    if (scene) {
      const { fill } = this.#rive.Fit
      const { center } = this.#rive.Alignment
      renderer.save()
      renderer.align(fill, center, { minX: 0, minY: 0, maxX: width, maxY: height }, scene.artboard.bounds)
      scene.artboard.draw(renderer)
      renderer.restore()
    }
    renderer.flush()
    this.#rive.resolveAnimationFrame()
  }
}

/** When it is done, or after so many milliseconds. */
const within = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => window.setTimeout(resolve, ms))])
