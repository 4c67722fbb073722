import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxOf, kept, MAX_ZOOM, WHOLE } from '../../../src/pages/dashboard/records/crop.ts'
import { bodyOf, type FieldDef, valuesOf } from '../../../src/pages/dashboard/records/fields.ts'

const FIELDS: readonly FieldDef[] = [
  { name: 'name', label: 'Name' },
  { name: 'city', label: 'City', clears: true },
  { name: 'venueId', label: 'Venue', isNumber: true, clears: true },
  { name: 'latitude', label: 'Latitude', input: 'number', clears: true },
  { name: 'sport', label: 'Sport', onlyNew: true },
  { name: 'courts', label: 'Courts', input: 'list' },
]
const record = { name: 'Ground', city: 'Oslo', venueId: 7, latitude: 59.9, sport: 'football', courts: ['1', '2'] }

describe('[issue 21.5] the form of a record', () => {
  it('sends of a new record what was filled in, as the API takes it', () => {
    const values = {
      name: ' Ground ',
      city: '',
      venueId: '7',
      latitude: '59.9',
      sport: 'football',
      courts: '1\n\n 2 \n',
    }
    expect(bodyOf(FIELDS, undefined, values)).toEqual({
      ...{ name: 'Ground', venueId: 7, latitude: 59.9, sport: 'football', courts: ['1', '2'] },
    })
  })

  it('sends of one that is there what was changed; emptied is null where the API has it so', () => {
    const before = valuesOf(FIELDS, record)
    expect(bodyOf(FIELDS, before, before)).toEqual({})
    const now = { ...before, name: '', city: '', venueId: '', sport: 'tennis', courts: '1' }
    expect(bodyOf(FIELDS, before, now)).toEqual({ name: '', city: null, venueId: null, courts: ['1'] })
  })

  it('leaves it to the server to say that a text is no number', () => {
    expect(bodyOf(FIELDS, valuesOf(FIELDS, record), { ...valuesOf(FIELDS, record), latitude: 'north' })).toEqual({
      latitude: 'north',
    })
  })
})

describe('[issue 21.5] a logo in its square', () => {
  it('is whole and in the middle at first', () => {
    expect(boxOf({ width: 400, height: 200 }, WHOLE, 100)).toEqual({ left: 0, top: 25, width: 100, height: 50 })
  })

  it('is never moved out of it, nor too near', () => {
    const side = fc.integer({ min: 1, max: 5_000 })
    const place = fc.double({ min: -5, max: 5, noNaN: true })
    fc.assert(
      fc.property(
        side,
        side,
        place,
        place,
        fc.double({ min: 0, max: 50, noNaN: true }),
        (width, height, x, y, zoom) => {
          const crop = kept({ width, height }, { x, y, zoom })
          const { left, top, ...drawn } = boxOf({ width, height }, crop, 1)
          expect(crop.zoom).toBeGreaterThanOrEqual(0.5)
          expect(crop.zoom).toBeLessThanOrEqual(MAX_ZOOM)
          for (const [from, length] of [
            [left, drawn.width],
            [top, drawn.height],
          ] as const) {
            expect(from).toBeLessThan(1)
            expect(from + length).toBeGreaterThan(0)
          }
        },
      ),
    )
  })
})
