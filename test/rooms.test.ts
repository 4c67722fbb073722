import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A folder of `src/`, another folder of the root, or a file that stands alone. */
function roomOf(file: string): string {
  const [top = '', folder = '', ...below] = file.split('/')
  return top === 'src' && below.length > 0 ? `src/${folder}` : top === 'src' ? file : top
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))

/** Which rooms each room imports from, types included, with one file that does. */
function importsOfRooms(): Map<string, Map<string, string>> {
  const rooms = new Map<string, Map<string, string>>()
  for (const file of ['src', 'machines', 'workers', 'bench', 'clients'].flatMap(filesOf)) {
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const [from, to] = [roomOf(file), roomOf(join(dirname(file), path))]
      if (from === to) continue
      const known = rooms.get(from) ?? new Map<string, string>()
      rooms.set(from, known.set(to, file))
    }
  }
  return rooms
}

/** The rooms that can be laid one on the other, none above what it imports; what is left over runs in a circle. */
function floorsOf(rooms: ReadonlyMap<string, ReadonlyMap<string, string>>) {
  const left = new Map(rooms)
  const floors: string[][] = []
  for (;;) {
    const floor = [...left.keys()].filter((room) => [...(left.get(room)?.keys() ?? [])].every((to) => !left.has(to)))
    if (floor.length === 0) return { floors, left }
    floors.push(floor)
    for (const room of floor) left.delete(room)
  }
}

test('[issue 16.3] the rooms lie on floors: no import runs back up', () => {
  const { floors, left } = floorsOf(importsOfRooms())
  expect(Object.fromEntries([...left].map(([room, imports]) => [room, Object.fromEntries(imports)]))).toEqual({})
  expect(floors.at(-1)).toEqual(['src/main.ts'])
})

test('a circle of rooms is found', () => {
  const circle = new Map([
    ['a', new Map([['b', 'a/one.ts']])],
    ['b', new Map([['a', 'b/one.ts']])],
    ['c', new Map([['a', 'c/one.ts']])],
    ['d', new Map()],
  ])
  expect([...floorsOf(circle).left.keys()]).toEqual(['a', 'b', 'c'])
})
