// companion-module-check of @companion-module/tools 3.0.2 asks for the state of a file by its URL as a text, which Node takes for a path. Gone when a
// later version of the tools checks without it.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

const { stat } = fs
fs.stat = (path, ...more) => stat(String(path).startsWith('file:') ? fileURLToPath(path) : path, ...more)
syncBuiltinESMExports()
