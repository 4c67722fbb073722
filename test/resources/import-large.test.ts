import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Step } from '../../src/pages/dashboard/imports/judged.ts'
import { judge, type Known, sheetOf, stepsOf } from '../../src/pages/dashboard/imports/players.ts'
import { writeSteps } from '../../src/pages/dashboard/imports/write-steps.ts'
import { Refusal } from '../../src/pages/ui/refusal.ts'
import { newRoster, type Roster } from './roster-support.ts'
import { type Production, startProduction } from './support.ts'

const LINES = 10_000
const WRONG = 12
const BUDGET_MS = 90_000

let production: Production
let roster: Roster
beforeAll(async () => {
  production = await startProduction()
  roster = await newRoster(production, 'Import Rovers')
})
afterAll(() => production.close())

/** Everybody on the roster, as the page reads it. */
async function known(): Promise<Known[]> {
  const all: Known[] = []
  for (;;) {
    const { body } = await production.call('GET', `${roster.path()}?limit=1000&offset=${all.length}`)
    all.push(...(body.players as Known[]))
    if (all.length >= Number(body.total)) return all
  }
}

/** As the page sends it; every fifth answer is lost on the way. */
function sender() {
  let sent = 0
  return async ({ method, path, body }: Step, key: string) => {
    const headers = { 'Idempotency-Key': key }
    const answer = await production.server.call(method, path, { key: production.apiKey, headers, body })
    if (sent++ % 5 === 3) throw new Refusal(0, 'The server cannot be reached')
    if (answer.status < 300) return
    const { message, details } = answer.body as { message: string; details?: Refusal['details'] }
    throw new Refusal(answer.status, message, details)
  }
}

async function imported(text: string) {
  const { rows, mapping } = sheetOf(text)
  const judged = judge(rows, mapping, await known())
  const wrong = judged.flatMap((row) => (row.is === 'wrong' ? [[row.line, row.reasons.join()]] : []))
  const seen: number[] = []
  const stopped = await writeSteps(stepsOf(roster.id, judged), {
    send: sender(),
    onProgress: ({ written }) => seen.push(written),
    isOver: () => false,
    pause: async () => {},
  })
  return { judged, wrong, stopped, seen }
}

it(`[issue 21.5] of ${LINES} lines ${WRONG} wrong ones are told where they are, and written once they are mended; none is doubled`, {
  timeout: BUDGET_MS,
}, async () => {
  const wrongAt = Array.from({ length: WRONG }, (_, index) => 17 + index * 811)
  const line = (at: number) => `${at % 1000};First ${at};Last ${at}`
  const faulty = ['1234;Long;Number', ';;Nameless', '5;Only first;', `6;${'x'.repeat(36)};Long`]
  const lines = Array.from({ length: LINES }, (_, index) => {
    const at = wrongAt.indexOf(index + 2)
    return at < 0 ? line(index + 2) : (faulty[at % faulty.length] ?? '')
  })
  const header = 'no;first name;last name'
  const first = await imported([header, ...lines].join('\r\n'))
  expect(first.wrong.map(([at]) => at)).toEqual(wrongAt)
  expect(first.wrong.slice(0, 4).map(([, reason]) => reason)).toEqual([
    'The number has 4 characters, and may have 3',
    'The first name is missing',
    'The last name is missing',
    'The first name has 36 characters, and may have 35',
  ])
  expect(first.stopped).toBeUndefined()
  expect((await known()).length).toBe(LINES - WRONG)

  // the same file, mended: only the twelve are new
  const mended = [header, ...Array.from({ length: LINES }, (_, index) => line(index + 2))].join('\r\n')
  const second = await imported(mended)
  expect(second.wrong).toEqual([])
  expect(second.judged.filter(({ is }) => is === 'new').map((row) => row.line)).toEqual(wrongAt)
  const all = await known()
  expect(all.length).toBe(LINES)
  expect(new Set(all.map(({ firstName }) => firstName)).size).toBe(LINES)
})

it('[issue 21.5] what the server refuses is told by line and column, and nothing of its batch is written', async () => {
  const before = (await known()).length
  const steps: Step[] = [
    {
      ...{ lines: [2, 7], method: 'POST', path: `${roster.path()}/batch` },
      body: {
        players: [
          { firstName: 'Fine', lastName: 'One' },
          { firstName: 'Bad', lastName: 'One', number: '1234' },
        ],
      },
    },
  ]
  const stopped = await writeSteps(steps, {
    send: sender(),
    onProgress: () => {},
    isOver: () => false,
    titleOf: (field) => (field === 'number' ? 'Number' : field),
  })
  expect(stopped).toMatchObject({
    written: 0,
    of: 2,
    lines: 'Lines 2 to 7',
    faults: ['Line 7: Number: at most 3 characters'],
  })
  expect((await known()).length).toBe(before)
})
