// Lint, format and types, side by side. What TypeScript found last time is kept in dist/, so that only what changed is looked at.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const coloured = process.stdout.isTTY === true

/** One thread each: several check the same types several times, and there are three programs for two cores. */
const types = (name, project) => {
  const kept = ['--incremental', '--tsBuildInfoFile', join(root, 'dist/.check', `${name}.tsbuildinfo`)]
  return ['typescript/bin/tsc', '-p', project, '--singleThreaded', '--pretty', String(coloured), ...kept]
}

const programs = [
  types('server', 'tsconfig.json'),
  types('pages', 'src/pages/tsconfig.json'),
  ['@biomejs/biome/bin/biome', 'check', `--colors=${coloured ? 'force' : 'off'}`, '.'],
]

/** Resolves with whether the program found nothing; what it says comes in one piece. */
const clean = ([program, ...args]) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root })
    const said = []
    child.stdout.on('data', (chunk) => said.push(chunk))
    child.stderr.on('data', (chunk) => said.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    })
  })

const found = await Promise.all(programs.map(clean))
process.exitCode = found.every(Boolean) ? 0 : 1
