import type { GraphicsAPI } from 'ograf'

/** A graphic as this page calls it: what is missing is told, and what it answers is looked at. */
export type Graphic = HTMLElement & { [Method in keyof GraphicsAPI.Graphic]?: (params: unknown) => unknown }

type Manifest = { main: string; stepCount?: number }

export type Loaded = { create(): Graphic; stepCount: number }

/** The module of the graphic that this page is for. Throws with words for whoever made it. */
export async function loadModule(path: string): Promise<Loaded> {
  // only bundles that this host serves
  if (!/^\/bundles\/[^/]+\/.+\.ograf\.json$/.test(path)) throw new Error('no manifest of an OGraf graphic')
  const url = new URL(path, location.href)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  // the server has checked it
  const manifest: Manifest = await response.json()
  const { default: made } = await import(/* @vite-ignore */ new URL(manifest.main, url).href)
  if (typeof made !== 'function' || !(made.prototype instanceof HTMLElement))
    throw new Error(`${manifest.main} exports no class of an HTML element as its default`)
  customElements.define(TAG, made)
  return { create: () => document.createElement(TAG), stepCount: manifest.stepCount ?? 1 }
}

/** Its own in this page, which is for one graphic. */
const TAG = 'ograf-graphic'
