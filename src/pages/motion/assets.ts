import type { FileAsset, FileAssetLoader, FontAsset, ImageAsset, RiveCanvas } from '@rive-app/canvas-advanced'
import type { MotionManifest } from '../../motion/manifest.ts'
import { loadPicture } from './pictures.ts'
import { isRecord, type Value } from './values.ts'

type Parts = {
  rive: RiveCanvas
  manifest: MotionManifest
  /** Of the bundle, with a slash at its end. */
  base: string
  problem(text: string): void
}

/** The pictures and fonts of a motion file: those inside it, those that were replaced, and those that values replace. */
export class Assets {
  readonly #parts: Parts
  readonly #found = new Map<string, FileAsset>()
  readonly #given = new Map<string, string>()
  readonly #replaced: Promise<void>[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What the runtime asks for every asset while it reads the file; true for one that need not be looked for inside. */
  get loader(): FileAssetLoader {
    const { rive, manifest, base, problem } = this.#parts
    return new rive.CustomFileAssetLoader({
      loadContents: (asset: FileAsset, bytes: Uint8Array) => {
        this.#found.set(asset.uniqueFilename, asset)
        const known = manifest.assets.find(({ uniqueFileName }) => uniqueFileName === asset.uniqueFilename)
        if (known?.path !== undefined) {
          this.#replaced.push(this.#replace(asset, base + known.path.split('/').map(encodeURIComponent).join('/')))
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

  /** Replaces what values name by address. Resolves when they are there, or cannot be had. */
  async set(computed: Value): Promise<void> {
    const given = isRecord(computed) ? computed : {}
    await Promise.all(
      this.#parts.manifest.assets.map(async ({ id, uniqueFileName }) => {
        const asset = this.#found.get(uniqueFileName)
        const url = given[id]
        if (!asset || typeof url !== 'string' || url === '' || this.#given.get(id) === url) return
        this.#given.set(id, url)
        await this.#replace(asset, url)
      }),
    )
  }

  async #replace(asset: FileAsset, url: string): Promise<void> {
    const { rive, problem } = this.#parts
    try {
      const bytes = asset.isImage ? await loadPicture(url) : await fetched(url)
      await new Promise<void>((resolve) => {
        if (asset.isImage)
          rive.decodeImage(bytes, (image) => {
            asImage(asset).setRenderImage(image)
            image.unref()
            resolve()
          })
        else if (asset.isFont)
          rive.decodeFont(bytes, (font) => {
            asFont(asset).setFont(font)
            font.unref()
            resolve()
          })
        else resolve(asset.decode(bytes))
      })
    } catch (error) {
      problem(error instanceof Error ? error.message : String(error))
    }
  }
}

/** The runtime hands out each asset as what it says it is. */
const asImage = (asset: FileAsset) => asset as ImageAsset
const asFont = (asset: FileAsset) => asset as FontAsset

async function fetched(url: string): Promise<Uint8Array> {
  const response = await fetch(new URL(url, location.origin))
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
