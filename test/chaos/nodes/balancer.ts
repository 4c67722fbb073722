import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { freePort } from '../../../bench/free-port.ts'
import { temporaryDirectory } from '../../support/directory.ts'

/** Tests of several nodes need HAProxy on the path; where there is none they are skipped. */
export const balancerIsInstalled = spawnSync('haproxy', ['-v']).status === 0

/** As deploy/haproxy.cfg, with the ports of one machine and checks that are as quick as the nodes are. */
const configuration = (port: number, nodePorts: readonly number[]) => `
global
  fd-hard-limit 5000
  no insecure-fork-wanted
defaults
  mode http
  option redispatch 1
  retries 3
  timeout http-request 5s
  timeout http-keep-alive 75s
  timeout connect 500ms
  timeout client 75s
  timeout server 4s
  timeout tunnel 1h
frontend public
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  timeout check 700ms
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host nodes
  http-check expect status 200
${nodePorts.map((nodePort, index) => `  server node${index + 1} 127.0.0.1:${nodePort} check inter 300ms fall 2 rise 1`).join('\n')}
`

/** HAProxy before the nodes; answers its port. */
export async function startBalancer(nodePorts: readonly number[]): Promise<number> {
  const port = await runBalancer((bound) => configuration(bound, nodePorts))
  await until('the balancer to answer', 30_000, 20, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    return response?.status === 200
  })
  return port
}

/** An HAProxy with this configuration of a port; answers the port. */
export async function runBalancer(configurationOf: (port: number) => string): Promise<number> {
  const port = await freePort()
  const file = join(temporaryDirectory(), 'haproxy.cfg')
  writeFileSync(file, configurationOf(port))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return port
}
