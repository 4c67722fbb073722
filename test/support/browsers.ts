import { existsSync } from 'node:fs'

/** The Chromium of this machine; undefined where none is installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** The same engine without windows, which burns graphics in, at two thirds of the cost; else the whole Chromium. */
export const shellPath = ['/usr/bin/chromium-headless-shell'].find(existsSync) ?? chromiumPath
