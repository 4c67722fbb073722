const LIMIT_MS = 600

/** Loads every face of the style sheet, once; resolves when they are there or the limit has passed. */
export function waitForFonts(): Promise<unknown> {
  loading ??= Promise.race([
    Promise.all(Array.from(document.fonts, (face) => face.load())).catch(() => undefined),
    new Promise((resolve) => window.setTimeout(resolve, LIMIT_MS)),
  ])
  return loading
}

let loading: Promise<unknown> | undefined
