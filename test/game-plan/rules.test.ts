import { describe, expect, test } from 'vitest'
import type { Rule } from '../../machines/game-plan/rule.ts'
import type { Judge } from '../../src/resources/game-plans/look.ts'
import { KICK_OFF } from '../machines/match-support.ts'
import { at, goals, playing, rule, Scene, showsItsName } from './scene.ts'

const goal = (more: Partial<Rule> = {}) => rule('Goal', goals, more)

describe('what rules wait for', () => {
  test('a fact shows a graphic for its seconds, once, however often the plan looks', () => {
    const scene = playing([goal()]).fact(0, 'matchStart').fact(60, 'goal', { side: 'home' }).see(61).see(62).to(100)
    expect(scene.air).toEqual(['60 +Goal', '68 -Goal'])
    expect(scene.recent).toEqual(['60 Goal fired'])
  })

  test('of a side only', () => {
    const scene = playing([goal({ trigger: { ...goals, side: 'away' } })]).fact(0, 'matchStart')
    scene.fact(60, 'goal', { side: 'home' }).fact(80, 'goal', { side: 'away' }).to(100)
    expect(scene.air).toEqual(['80 +Goal', '88 -Goal'])
  })

  test('a fact that is told late never fires', () => {
    const scene = playing([goal()]).fact(0, 'matchStart').fact(60, 'goal', { side: 'home' }, 91).to(200)
    expect([scene.air, scene.recent]).toEqual([[], ['91 Goal tooOld']])
  })

  test('entering a state, and out again with it', () => {
    const bug = rule('Bug', { type: 'state', state: 'live' }, { end: { until: 'state' } })
    const rest = rule('Result', { type: 'state', state: 'break' }, { delaySeconds: 5 })
    const scene = playing([bug, rest]).fact(0, 'matchStart').fact(2700, 'periodEnd').fact(3600, 'periodStart').to(3700)
    expect(scene.air).toEqual(['0 +Bug', '2700 -Bug', '2705 +Result', '2713 -Result', '3600 +Bug'])
  })

  test('start and end of periods, of any or of one', () => {
    const rules = [
      rule('Any start', { type: 'period', at: 'start' }),
      rule('Second', { type: 'period', at: 'start', number: 2 }),
      rule('First over', { type: 'period', at: 'end', number: 1 }),
      rule('Half', { type: 'period', at: 'start' }, { end: { until: 'period' } }),
    ]
    const scene = playing(rules).fact(0, 'matchStart').fact(2700, 'periodEnd').fact(3600, 'periodStart').to(3700)
    expect(scene.air.filter((text) => text.includes('+'))).toEqual([
      ...['0 +Any start', '0 +Half', '2700 +First over'],
      ...['3600 +Any start', '3600 +Second', '3600 +Half'],
    ])
    expect(scene.air).toContain('2700 -Half')
  })

  test('the clock reaches a time, once per period, also when it is corrected past it again', () => {
    const clock = rule('Ten minutes', { type: 'clock', seconds: 600 })
    const scene = playing([clock]).fact(0, 'matchStart').to(590)
    expect(scene.air).toEqual([])
    scene.to(600).fact(660, 'clockSet', { value: 590_000 }).to(800)
    expect(scene.air).toEqual(['600 +Ten minutes', '608 -Ten minutes'])
    // of the second half it is past from the beginning
    scene.fact(2700, 'periodEnd').fact(3600, 'periodStart').to(4000)
    expect(scene.recent).toEqual(['600 Ten minutes fired'])
  })

  test('[issue 18] a clock that was set wrong and put right costs no rule its turn, nor gives it a second one', () => {
    const scene = playing([rule('Ten', { type: 'clock', seconds: 600 })])
    scene.fact(0, 'matchStart').fact(60, 'clockSet', { value: 2_000_000 }).fact(70, 'clockSet', { value: 70_000 })
    expect([scene.air, scene.recent]).toEqual([[], ['60 Ten tooOld']])
    scene.to(640)
    expect(scene.air).toEqual(['600 +Ten', '608 -Ten'])
    scene.fact(650, 'clockSet', { value: 590_000 }).to(700)
    expect(scene.recent).toEqual(['60 Ten tooOld', '600 Ten fired'])
  })

  test('[issue 18] a date that was wrong and put right costs no rule its turn', () => {
    const early = rule('Early', { type: 'time', of: 'date', offsetSeconds: -600 })
    const scene = new Scene([early])
    const moved = (second: number, byMinutes: number) => {
      const date = new Date(KICK_OFF + byMinutes * 60_000).toISOString()
      scene.match = { ...scene.match, settings: { ...scene.match.settings, date } }
      return scene.see(second)
    }
    // it was past when the plan first looked
    moved(-3_600, -120)
    moved(-3_500, 0).to(-500)
    expect(scene.air).toEqual(['-600 +Early', '-592 -Early'])
    // one that has been shown comes once
    moved(-400, 60).to(3_600)
    expect(scene.recent).toEqual(['-600 Early fired'])
  })

  test('a clock that counts down', () => {
    const scene = playing([rule('Last minute', { type: 'clock', seconds: 60, period: 1 })], { sport: 'basketball' })
    scene.fact(0, 'matchStart').fact(10, 'periodStart').to(700)
    expect(scene.air).toEqual(['550 +Last minute', '558 -Last minute'])
  })

  test('times of day: before the date of the match, and after its end', () => {
    const rules = [
      rule('Line-up', { type: 'time', of: 'date', offsetSeconds: -600 }),
      rule('Thanks', { type: 'time', of: 'matchEnd', offsetSeconds: 30 }),
    ]
    const scene = playing(rules).to(-500).fact(0, 'matchStart').fact(5700, 'matchEnd').to(6000)
    expect(scene.air).toEqual(['-600 +Line-up', '-592 -Line-up', '5730 +Thanks', '5738 -Thanks'])
  })

  test('again and again during a phase, the first time when it begins', () => {
    const scene = playing([rule('Sponsor', { type: 'interval', everySeconds: 100, during: 'break' })])
    scene.fact(0, 'matchStart').fact(2700, 'periodEnd').to(2950).fact(2990, 'periodStart').to(4000)
    expect(scene.air.filter((text) => text.includes('+'))).toEqual(['2700 +Sponsor', '2800 +Sponsor', '2900 +Sponsor'])
  })
})

describe('what speaks against a rule', () => {
  const shots = { type: 'fact', factTypes: ['corner'] } as const
  const corners = (more: Partial<Rule>) => {
    const scene = playing([rule('Corner', shots, more)]).fact(0, 'matchStart')
    for (const second of [10, 30, 50, 70]) scene.fact(second, 'corner', { side: 'home' })
    return scene.to(200).recent
  }

  test.each<[string, Partial<Rule>, string[]]>([
    ['once', { once: true }, ['10 Corner fired', '30 Corner once', '50 Corner once', '70 Corner once']],
    ['every', { every: 2 }, ['10 Corner every', '30 Corner fired', '50 Corner every', '70 Corner fired']],
    [
      'cooldown',
      { cooldownSeconds: 40 },
      ['10 Corner fired', '30 Corner cooldown', '50 Corner fired', '70 Corner cooldown'],
    ],
    ['disabled', { enabled: false }, ['10', '30', '50', '70'].map((second) => `${second} Corner disabled`)],
  ])('%s', (_, more, recent) => {
    expect(corners(more)).toEqual(recent)
  })

  test('disabled rules of clock, time and interval say so when their time comes, once', () => {
    const off = { enabled: false }
    const scene = playing([
      rule('Clock', { type: 'clock', seconds: 30 }, off),
      rule('Time', { type: 'time', of: 'date', offsetSeconds: 40 }, off),
      rule('Again', { type: 'interval', everySeconds: 10, during: 'live' }, off),
    ]).fact(0, 'matchStart')
    for (const second of [20, 41, 60]) scene.see(second)
    expect(scene.recent).toEqual(['0 Again disabled', '41 Clock disabled', '41 Time disabled'])
    expect(scene.air).toEqual([])
  })

  test('what did not fire has not used up its once, nor begun to cool down', () => {
    let turn = 0
    const judge = (shown: Rule) => ({
      reason: turn++ === 0 ? ('condition' as const) : null,
      picture: { presetId: 1, graphicId: shown.name, graphicName: shown.name, values: {} },
    })
    const scene = playing([rule('Corner', shots, { once: true, cooldownSeconds: 60 })], { judge }).fact(0, 'matchStart')
    for (const second of [10, 20, 30]) scene.fact(second, 'corner', { side: 'home' })
    expect(scene.recent).toEqual(['10 Corner condition', '20 Corner fired', '30 Corner once'])
  })

  test('a condition, a preset that cannot be shown, brands', () => {
    const reasons = ['condition', 'conditionFailed', 'presetInvalid', 'noBrands', 'noBrand'] as const
    let turn = 0
    const scene = playing([rule('Corner', shots)], {
      judge: () => ({ reason: reasons[turn++] ?? null, picture: null }),
    })
    scene.fact(0, 'matchStart')
    for (const [index] of reasons.entries()) scene.fact(10 + index, 'corner', { side: 'home' })
    expect(scene.recent).toEqual(reasons.map((reason, index) => `${10 + index} Corner ${reason}`))
  })
})

describe('a rule that shows a brand', () => {
  const shots = { type: 'fact', factTypes: ['corner'] } as const
  const judge: Judge = ({ name, presetId }) => ({
    reason: null,
    picture: { presetId, graphicId: name, graphicName: name, values: {}, sponsored: true },
  })
  /** The last brand of the slot ends at this second. */
  const until = (second: number) => ({
    judge,
    refusal: (_: unknown, now: number) => (now < at(second) ? null : ('noBrand' as const)),
  })

  test('is suppressed when its slot has run empty before it could be shown: after its delay, and after its wait', () => {
    const sponsor = rule('Sponsor', shots, { delaySeconds: 5 })
    const early = playing([sponsor], until(16)).fact(0, 'matchStart').fact(10, 'corner', { side: 'home' }).to(60)
    expect([early.air, early.recent]).toEqual([['15 +Sponsor', '23 -Sponsor'], ['15 Sponsor fired']])
    const late = playing([sponsor], until(12)).fact(0, 'matchStart').fact(10, 'corner', { side: 'home' }).to(60)
    expect([late.air, late.recent]).toEqual([[], ['15 Sponsor noBrand']])
    const queued = rule('Sponsor', shots, { layer: 'third', onInterrupt: 'queue', priority: 10 })
    const first = rule('Corner', shots, { layer: 'third', priority: 90 })
    const waited = playing([first, queued], {
      ...until(12),
      judge: (one, fact) => (one === first ? showsItsName(one, fact) : judge(one, fact)),
    })
    waited.fact(0, 'matchStart').fact(10, 'corner', { side: 'home' }).to(60)
    expect([waited.air, waited.recent]).toEqual([
      ['10 +Corner', '18 -Corner'],
      ['10 Corner fired', '18 Sponsor noBrand'],
    ])
  })

  test('that was suppressed has not fired: once and a cooldown begin with the one that is seen', () => {
    const sponsor = rule('Sponsor', shots, { once: true, cooldownSeconds: 60 })
    const open = (now: number) => (now < at(20) ? ('noBrand' as const) : null)
    const scene = playing([sponsor], { judge, refusal: (_, now) => open(now) }).fact(0, 'matchStart')
    for (const second of [10, 30, 50]) scene.fact(second, 'corner', { side: 'home' })
    expect(scene.recent).toEqual(['10 Sponsor noBrand', '30 Sponsor fired', '50 Sponsor once'])
  })
})

describe('layers', () => {
  const corner = { type: 'fact', factTypes: ['corner'] } as const
  const card = { type: 'fact', factTypes: ['yellowCard'] } as const
  const low = (more: Partial<Rule> = {}) => rule('Corner', corner, { layer: 'third', priority: 10, ...more })
  const high = (more: Partial<Rule> = {}) => rule('Card', card, { layer: 'third', priority: 90, ...more })
  const clash = (...rules: Rule[]) => playing(rules).fact(0, 'matchStart')

  test('a lower or equal priority loses, a higher one takes the place', () => {
    const scene = clash(low(), high()).fact(10, 'corner').fact(12, 'yellowCard').fact(14, 'corner').to(60)
    expect(scene.air).toEqual(['10 +Corner', '12 -Corner', '12 +Card', '20 -Card'])
    expect(scene.recent).toEqual(['10 Corner fired', '12 Card fired', '14 Corner priority'])
  })

  test('what is interrupted comes back for the rest of its time, or whole while it is young enough', () => {
    const resumed = clash(low({ onInterrupt: 'resume' }), high())
      .fact(10, 'corner')
      .fact(12, 'yellowCard')
      .to(60)
    expect(resumed.air).toEqual(['10 +Corner', '12 -Corner', '12 +Card', '20 -Card', '20 +Corner', '26 -Corner'])
    expect(resumed.recent).toEqual(['10 Corner fired', '12 Card fired'])
    const queued = clash(low({ onInterrupt: 'queue' }), high())
      .fact(10, 'corner')
      .fact(12, 'yellowCard')
      .to(60)
    expect(queued.air.slice(-2)).toEqual(['20 +Corner', '28 -Corner'])
    const young = low({ onInterrupt: 'queue', maxAgeSeconds: 5 })
    const old = clash(young, high()).fact(10, 'corner').fact(12, 'yellowCard').to(60)
    expect(old.recent).toEqual(['10 Corner fired', '12 Card fired', '20 Corner tooOld'])
  })

  test('one without a time of its own comes back however long the other took', () => {
    const bug = low({ onInterrupt: 'resume', end: { until: 'hidden' }, maxAgeSeconds: 5 })
    const scene = clash(bug, high()).fact(10, 'corner').fact(12, 'yellowCard').to(60)
    expect(scene.air).toEqual(['10 +Corner', '12 -Corner', '12 +Card', '20 -Card', '20 +Corner'])
    expect(scene.recent).toEqual(['10 Corner fired', '12 Card fired'])
  })

  test('what lasts until it is replaced yields to an equal one, and what waits comes in order of priority', () => {
    const bug = low({ end: { until: 'replaced' }, priority: 90 })
    expect(clash(bug, high()).fact(10, 'corner').fact(12, 'yellowCard').to(60).air).toEqual([
      ...['10 +Corner', '12 -Corner', '12 +Card', '20 -Card'],
    ])
    const [one, two, three] = [
      low({ onInterrupt: 'queue' }),
      rule('Foul', { type: 'fact', factTypes: ['foul'] }, { layer: 'third', priority: 20, onInterrupt: 'queue' }),
      high(),
    ]
    const scene = clash(one, two, three).fact(10, 'yellowCard').fact(11, 'corner').fact(12, 'foul').to(60)
    expect(scene.air.filter((text) => text.includes('+'))).toEqual(['10 +Card', '18 +Foul', '26 +Corner'])
  })

  test('a burst of ten facts plays what is worth playing, not ten cards', () => {
    const scene = clash(low({ onInterrupt: 'queue', maxAgeSeconds: 12 }), high())
    scene.rehearsal.runTo(at(9))
    const facts = [
      'corner',
      'corner',
      'yellowCard',
      'corner',
      'yellowCard',
      'corner',
      'corner',
      'yellowCard',
      'corner',
      'corner',
    ]
    scene.ask(
      10,
      ...facts.map((type, index) => ({
        type: 'record' as const,
        id: 100 + index,
        fact: { type, timestamp: new Date(at(10)).toISOString() },
      })),
    )
    scene.to(100)
    expect(scene.air).toEqual(['10 +Card', '18 -Card', '18 +Corner', '26 -Corner'])
    expect(scene.recent.filter((text) => text.endsWith('tooOld'))).toHaveLength(6)
  })

  test('of more than twenty that wait for a layer the last one goes', () => {
    const scene = clash(low({ onInterrupt: 'queue', maxAgeSeconds: 3600 }), high({ end: { until: 'hidden' } }))
    scene.fact(5, 'yellowCard')
    for (let second = 10; second < 40; second++) scene.fact(second, 'corner')
    expect(scene.rehearsal.plan.layers.third?.queue).toHaveLength(20)
    expect(scene.recent.slice(1, 3)).toEqual(['30 Corner priority', '31 Corner priority'])
  })

  test('a graphic is on air once: another layer that shows it takes it over', () => {
    const judge = () => ({ reason: null, picture: { presetId: 1, graphicId: 'g', graphicName: 'G', values: {} } })
    const scene = playing([low({ layer: 'one' }), high({ layer: 'two' })], { judge }).fact(0, 'matchStart')
    scene.fact(10, 'corner').fact(12, 'yellowCard').to(60)
    expect(scene.air).toEqual(['10 +Corner', '12 +Card', '20 -Card'])
  })
})

describe('corrections', () => {
  const scored = () =>
    playing([goal({ delaySeconds: 2 })])
      .fact(0, 'matchStart')
      .fact(60, 'goal', { side: 'home', playerId: 7 })

  test('another scorer changes the card that is on air, a deleted goal takes it off', () => {
    const scene = scored().ask(64, { type: 'correct', factId: 2, fact: { playerId: 9 } })
    expect(scene.rehearsal.plan.layers.Goal?.running?.values).toEqual({ player: 9 })
    scene.ask(66, { type: 'erase', factId: 2 }).to(100)
    expect(scene.air).toEqual(['62 +Goal', '64 ~Goal', '66 -Goal'])
    expect(scene.recent).toEqual(['62 Goal fired', '66 Goal withdrawn'])
  })

  test('the condition is asked again, and only when the fact was corrected', () => {
    const judge: Judge = ({ name, presetId }, fact) => ({
      reason: fact?.playerId === 7 && scene?.match.facts.length !== 3 ? null : 'condition',
      picture: { presetId, graphicId: name, graphicName: name, values: {} },
    })
    let scene: Scene | undefined
    scene = playing([goal()], { judge })
    scene.fact(0, 'matchStart').fact(60, 'goal', { side: 'home', playerId: 7 })
    // by now it would not fire any more; nobody said that it was wrong
    scene.fact(61, 'corner', { side: 'home' }).see(62)
    expect(scene.air).toEqual(['60 +Goal'])
    scene.ask(64, { type: 'correct', factId: 2, fact: { playerId: 9 } }).to(100)
    expect(scene.air).toEqual(['60 +Goal', '64 -Goal'])
    expect(scene.recent).toEqual(['60 Goal fired', '64 Goal withdrawn'])
  })

  test('one that waits is changed or withdrawn before it is seen', () => {
    const changed = scored()
      .ask(61, { type: 'correct', factId: 2, fact: { playerId: 9 } })
      .to(63)
    expect(changed.rehearsal.plan.layers.Goal?.running?.values).toEqual({ player: 9 })
    const withdrawn = scored().ask(61, { type: 'erase', factId: 2 }).to(100)
    expect([withdrawn.air, withdrawn.recent]).toEqual([[], ['61 Goal withdrawn']])
  })

  test('a goal that was none of that side goes with its rule, and never fires another', () => {
    const rules = [goal({ trigger: { ...goals, side: 'home' } }), rule('Away', { ...goals, side: 'away' })]
    const scene = playing(rules).fact(0, 'matchStart').fact(60, 'goal', { side: 'home' })
    scene.ask(62, { type: 'correct', factId: 2, fact: { teamId: 20 } }).to(100)
    expect(scene.air).toEqual(['60 +Goal', '62 -Goal'])
  })
})

describe('the operator wins', () => {
  const bug = () => rule('Bug', { type: 'state', state: 'live' }, { end: { until: 'hidden' } })
  const during = (...rules: Rule[]) => playing(rules).fact(0, 'matchStart')

  test('a graphic shown by hand holds its layer until it is released', () => {
    const scene = during(goal()).fact(60, 'goal', { side: 'home' }).hand(62, 'show', 'Goal')
    scene.fact(70, 'goal', { side: 'home' })
    expect(scene.air).toEqual(['60 +Goal'])
    expect(scene.rehearsal.plan.layers.Goal).toMatchObject({ heldBy: 'Ann', running: null })
    scene.rehearsal.send({ type: 'release', by: 'Ann', at: at(80) })
    scene.fact(90, 'goal', { side: 'home' }).to(100)
    expect(scene.recent).toEqual(['60 Goal fired', '70 Goal held', '90 Goal fired'])
  })

  test('a bug hidden by hand comes back when its layer is released: what goes on is looked at again', () => {
    const scene = during(bug()).hand(10, 'hide', 'Bug').see(20)
    expect(scene.air).toEqual(['0 +Bug'])
    scene.rehearsal.send({ type: 'release', layer: 'Bug', by: 'Ann', at: at(30) })
    expect(scene.air).toEqual(['0 +Bug', '30 +Bug'])
  })

  test('[issue 18] a layer that is released brings back what goes on there, and nothing of other layers', () => {
    const rules = [
      bug(),
      rule('Opening', { type: 'state', state: 'live' }),
      rule('Sponsor', { type: 'interval', everySeconds: 100, during: 'live' }),
      rule('Partner', { type: 'interval', everySeconds: 100, during: 'live' }, { layer: 'ad' }),
    ]
    const scene = during(...rules)
      .hand(10, 'hide', 'Bug')
      .hand(12, 'hide', 'Opening')
    const shown = () => scene.air.filter((text) => text.includes('+'))
    const begun = ['0 +Bug', '0 +Opening', '0 +Sponsor', '0 +Partner']
    scene.rehearsal.send({ type: 'release', layer: 'Bug', by: 'Ann', at: at(30) })
    expect(shown()).toEqual([...begun, '30 +Bug'])
    // intervals go on as if nobody had held another layer
    scene.to(150)
    const later = ['100 +Sponsor', '100 +Partner']
    expect(shown()).toEqual([...begun, '30 +Bug', ...later])
    scene.hand(160, 'hide', 'Bug')
    scene.rehearsal.send({ type: 'release', by: 'Ann', at: at(170) })
    expect(shown()).toEqual([...begun, '30 +Bug', ...later, '170 +Bug', '170 +Opening'])
    expect(scene.rehearsal.plan).toMatchObject({ fresh: false, released: undefined })
    scene.rehearsal.send({ type: 'pause', by: 'Ann', at: at(180) })
    scene.rehearsal.send({ type: 'resume', by: 'Ann', at: at(190) })
    expect(shown().slice(-3)).toEqual(['190 +Opening', '190 +Sponsor', '190 +Partner'])
  })

  test('hideAll takes everything off and pauses; resumed, what goes on is back and nothing that is past', () => {
    const scene = during(bug(), goal()).hand(10, 'hideAll', 'Bug').fact(20, 'goal', { side: 'home' })
    expect(scene.rehearsal.plan).toMatchObject({ paused: true, layers: {} })
    scene.rehearsal.send({ type: 'resume', by: 'Ann', at: at(30) })
    scene.to(100)
    expect(scene.air).toEqual(['0 +Bug', '30 +Bug'])
    expect(scene.recent).toEqual(['0 Bug fired', '20 Goal paused', '30 Bug fired'])
  })

  test('hideAll before the plan has put on air what it began takes that off, too', () => {
    const second = goal({ layer: 'third' })
    const scene = during(bug(), second).fact(10, 'goal', { side: 'home' }).hand(10, 'hideAll', 'Bug').to(60)
    expect(scene.rehearsal.plan).toMatchObject({ paused: true, layers: {} })
    expect(scene.air).toEqual(['0 +Bug', '10 +Goal', '10 -Goal'])
    // the server itself pauses nothing
    expect(during(bug()).hand(10, 'hideAll', 'Bug', null).rehearsal.plan.paused).toBe(false)
  })

  test.each(['hide', 'hideAll'] as const)(
    '[issue 18] %s of what was on air before takes off what the plan is about to put there',
    (action) => {
      const scene = playing([rule('Goal', goals)])
        .fact(0, 'matchStart')
        .fact(10, 'goal', { side: 'home' })
      // the overlay has hidden the graphic as an operator had shown it, and carries out the show of the plan after that
      const layers = action === 'hide' ? ['Goal'] : []
      scene.see(10, [{ action, graphicId: 'Goal', play: null, layers, by: 'Ann' }]).to(60)
      expect(scene.air).toEqual(['10 +Goal', '10 -Goal'])
    },
  )

  test('what waits when all is hidden with nothing on air does not come', () => {
    const scene = during(goal({ delaySeconds: 5 })).fact(60, 'goal', { side: 'home' })
    scene.rehearsal.send({ type: 'clear', by: 'Ann', at: at(62) })
    scene.to(90)
    expect([scene.air, scene.recent]).toEqual([[], ['65 Goal paused']])
  })

  test('what waits for a layer waits on while the plan is paused', () => {
    const [corner, card] = ['corner', 'yellowCard'].map((type, index) =>
      rule(type, { type: 'fact', factTypes: [type] }, { layer: 'third', priority: index, onInterrupt: 'queue' }),
    ) as [Rule, Rule]
    const scene = during(card, corner).fact(10, 'yellowCard').fact(12, 'corner')
    scene.rehearsal.send({ type: 'pause', by: 'Ann', at: at(14) })
    scene.to(22)
    expect(scene.air).toEqual(['10 +yellowCard', '18 -yellowCard'])
    scene.rehearsal.send({ type: 'resume', by: 'Ann', at: at(24) })
    expect(scene.to(60).air.slice(2)).toEqual(['24 +corner', '32 -corner'])
  })

  test('a graphic that the server took off frees its layer and holds nothing', () => {
    const scene = during(goal()).fact(60, 'goal', { side: 'home' }).hand(62, 'hide', 'Goal', null)
    scene.fact(64, 'goal', { side: 'home' })
    expect(scene.air).toEqual(['60 +Goal', '64 +Goal'])
  })

  test('what the server took off of an earlier play is not the one that runs now', () => {
    const scene = during(goal()).fact(60, 'goal', { side: 'home' }).fact(70, 'goal', { side: 'home' })
    const [first, second] = scene.told.flatMap((event) => (event.type === 'play.begun' ? [event.play.id] : []))
    scene.see(72, [{ action: 'hide', graphicId: 'Goal', play: first ?? null, layers: ['Goal'], by: null }])
    expect(scene.rehearsal.plan.layers.Goal?.running?.id).toBe(second)
    expect(scene.to(100).air).toEqual(['60 +Goal', '68 -Goal', '70 +Goal', '78 -Goal'])
  })

  test('off clears nothing that is on air and ends what waits; on again fires nothing that is past', () => {
    const scene = during(bug(), goal({ delaySeconds: 5 })).fact(60, 'goal', { side: 'home' })
    scene.rehearsal.switchOff(at(62))
    scene.to(90)
    expect([scene.air, scene.recent]).toEqual([['0 +Bug'], ['0 Bug fired', '62 Goal withdrawn autoModeOff']])
    scene.fact(100, 'goal', { side: 'home' }).to(200)
    expect(scene.air).toEqual(['0 +Bug', '100 +Bug'])
  })

  test('an overlay that becomes automatic in the middle of a match counts as switched on', () => {
    const rules = [
      bug(),
      goal(),
      rule('Second', { type: 'period', at: 'start' }),
      rule('Late', { type: 'clock', seconds: 60 }),
    ]
    const scene = new Scene(rules)
    scene.match = playing([]).fact(0, 'matchStart').fact(70, 'goal', { side: 'home' }).match
    scene.on(80).to(200)
    expect(scene.air.filter((text) => text.includes('+'))).toEqual(['80 +Bug', '80 +Second'])
  })

  test('a rule fired by hand overrules what speaks against it, unless there is nothing to show', () => {
    const one = goal({ once: true })
    const scene = during(one).fact(60, 'goal', { side: 'home' }).hand(62, 'hide', 'Goal')
    const firing = { rule: one, order: 0, factId: null, factAt: null, reason: null }
    const picture = { presetId: 1, graphicId: 'Goal', graphicName: 'Goal', values: {} }
    scene.rehearsal.send({ type: 'fire', firing: { ...firing, picture }, by: 'Ann', at: at(70) })
    scene.rehearsal.send({
      type: 'fire',
      firing: { ...firing, reason: 'presetInvalid', picture: null },
      by: 'Ann',
      at: at(90),
    })
    expect(scene.air).toEqual(['60 +Goal', '70 +Goal', '78 -Goal'])
    expect(scene.recent).toEqual(['60 Goal fired', '70 Goal fired', '90 Goal presetInvalid'])
  })
})
