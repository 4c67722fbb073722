import type { GraphicsAPI } from 'ograf'

/** A graphic as this page calls it: what is missing is told, and what it answers is looked at. */
export type Graphic = HTMLElement & { [Method in keyof GraphicsAPI.Graphic]?: (params: unknown) => unknown }

type Manifest = { main: string; stepCount?: number }

export type Loaded = { create(): Graphic; stepCount: number }

/** The module of the graphic that this page is for. Throws with words for whoever made it. */
export async function loadModule(path: string): Promise<Loaded> {
  // only bundles that this host serves
  if (!/^\/bundles\/[^/]+\/.*\.ograf\.json$/.test(path)) throw new Error('no manifest of an OGraf graphic')
  const url = new URL(path, location.href)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  // the server has checked it
  const manifest: Manifest = await response.json()
  const { default: made } = await import(/* @vite-ignore */ addressOf(manifest.main, url))
  if (typeof made !== 'function' || !(made.prototype instanceof HTMLElement))
    throw new Error(`${manifest.main} exports no class of an HTML element as its default`)
  const Named = named(made)
  return { create: () => created(Named), stepCount: manifest.stepCount ?? 1 }
}

/** Where a file is that a manifest names: below its folder, as the server has looked for it. A path is no address. */
const addressOf = (path: string, manifest: URL) =>
  new URL(`./${path.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`, manifest).href

/** A class has one name only: for one that its module has named already, as Lit does, stands a class that is the same. */
function named(made: CustomElementConstructor): CustomElementConstructor {
  try {
    customElements.define(TAG, made)
    return made
  } catch {
    if (customElements.get(TAG) === made) return made
    const heir = class extends made {}
    customElements.define(TAG, heir)
    return heir
  }
}

/** One that cannot even be made says so when it is loaded, as whatever else goes wrong there. */
function created(Named: CustomElementConstructor): Graphic {
  try {
    return new Named()
  } catch (error) {
    const load = () => {
      throw error
    }
    return Object.assign(document.createElement('div'), { load })
  }
}

/** Its own in this page, which is for one graphic. */
const TAG = 'ograf-graphic'
