import type { FileAsset, FileAssetLoader, FontAsset, ImageAsset, RiveCanvas } from '@rive-app/canvas-advanced'
import type { MotionManifest } from '../../motion/manifest.ts'
import { untilHad } from './again.ts'
import { loadPicture } from './pictures.ts'
import { isRecord, type Value } from './values.ts'

type Parts = {
  rive: RiveCanvas
  manifest: MotionManifest
  /** Of the bundle, with a slash at its end. */
  base: string
  /** Something came later than it was asked for. */
  changed(): void
  problem(text: string): void
}

/** The pictures and fonts of a motion file: those inside it, those that were replaced, and those that values replace. */
export class Assets {
  readonly #parts: Parts
  readonly #found = new Map<string, FileAsset>()
  /** Where each asset comes from by now, by its id; a file fetched for another address is thrown away. */
  readonly #wanted = new Map<string, string>()
  readonly #replaced: Promise<void>[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The runtime's question for every asset while it reads the file; true for one that need not be looked for inside. */
  get loader(): FileAssetLoader {
    const { rive, manifest, base, problem } = this.#parts
    return new rive.CustomFileAssetLoader({
      loadContents: (asset: FileAsset, bytes: Uint8Array) => {
        this.#found.set(asset.uniqueFilename, asset)
        const known = manifest.assets.find(({ uniqueFileName }) => uniqueFileName === asset.uniqueFilename)
        if (known?.path !== undefined) {
          this.#replaced.push(this.#replace(known.id, asset, addressIn(base, known.path)))
          return true
        }
        if (bytes.length > 0) return false
        problem(`${asset.uniqueFilename} is not in the file, and nobody has replaced it`)
        return true
      },
    })
  }

  /** When all that were replaced are there, or cannot be had. */
  async ready(): Promise<void> {
    await Promise.all(this.#replaced)
  }

  /** Replaces assets that values name by address. Resolves when they are there, or cannot be had for now. */
  async set(computed: Value): Promise<void> {
    const given = isRecord(computed) ? computed : {}
    await Promise.all(
      this.#parts.manifest.assets.map(async ({ id, uniqueFileName, path }) => {
        const asset = this.#found.get(uniqueFileName)
        const value = given[id]
        const own = path === undefined ? undefined : addressIn(this.#parts.base, path)
        const url = typeof value === 'string' && value !== '' ? value : own
        if (!asset || this.#wanted.get(id) === url) return
        if (url === undefined) this.#wanted.delete(id)
        else await this.#replace(id, asset, url)
      }),
    )
  }

  /** Nothing is fetched any more. */
  stop() {
    this.#wanted.clear()
  }

  async #replace(id: string, asset: FileAsset, url: string): Promise<void> {
    const { rive, changed, problem } = this.#parts
    this.#wanted.set(id, url)
    const isAsked = () => this.#wanted.get(id) === url
    const fetchIt = async (attempt: number) => {
      const bytes = asset.isImage ? await loadPicture(url, { attempt }) : await fetched(url, attempt)
      if (!isAsked()) return
      await new Promise<void>((resolve) => {
        if (asset.isImage)
          rive.decodeImage(bytes, (image) => {
            if (isAsked()) asImage(asset).setRenderImage(image)
            image.unref()
            resolve()
          })
        else if (asset.isFont)
          rive.decodeFont(bytes, (font) => {
            if (isAsked()) asFont(asset).setFont(font)
            font.unref()
            resolve()
          })
        else resolve(asset.decode(bytes))
      })
      changed()
    }
    await untilHad(fetchIt, { isAsked, problem })
  }
}

const addressIn = (base: string, path: string) => base + path.split('/').map(encodeURIComponent).join('/')

/** The runtime hands out each asset as the kind that it says it is. */
const asImage = (asset: FileAsset) => asset as ImageAsset
const asFont = (asset: FileAsset) => asset as FontAsset

async function fetched(url: string, attempt: number): Promise<Uint8Array> {
  // a file that came broken is held by the browser for good
  const response = await fetch(new URL(url, location.origin), { cache: attempt === 0 ? 'default' : 'reload' })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
