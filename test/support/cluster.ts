import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** A copy of a cluster that does not run, owner and permissions included; it takes a port of its own. */
export function copyCluster(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
  rmSync(join(to, 'tally.port'), { force: true })
}
