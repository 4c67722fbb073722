import { describe, expect, it } from 'vitest'
import { dateOf, localDay, momentIn, orderOf, timeOf } from '../../../src/pages/dashboard/imports/times.ts'

describe('[issue 21.5] days and times of a list of fixtures', () => {
  it.each([
    ['2027-03-06', [2027, 3, 6]],
    ['6.3.2027', [2027, 3, 6]],
    ['06/03/27', [2027, 3, 6]],
    ['6 March 2027', [2027, 3, 6]],
    ['Sat 6th Mar 2027', [2027, 3, 6]],
    ['March 6, 2027', [2027, 3, 6]],
    ['Saturday, 6. March 2027', [2027, 3, 6]],
  ])('%s is a day', (text, [year, month, day]) => {
    expect(dateOf(text, 'dayFirst')).toEqual({ day: { year, month, day } })
  })

  it('may have their time in the same cell, or name a moment', () => {
    const day = { year: 2027, month: 3, day: 6 }
    expect(dateOf('2027-03-06T18:30', 'dayFirst')).toEqual({ day, time: { hour: 18, minute: 30 } })
    expect(dateOf('6/3/2027 7:05 pm', 'dayFirst')).toEqual({ day, time: { hour: 19, minute: 5 } })
    expect(dateOf('3/6/2027, 18.00', 'monthFirst')).toEqual({ day, time: { hour: 18, minute: 0 } })
    expect(dateOf('2027-03-06T18:30:00+01:00', 'dayFirst')?.at).toBe('2027-03-06T17:30:00.000Z')
  })

  it.each(['31.2.2027', '2027-13-01', 'soon', '6.3.', '12', '6.3.2027 25:00', '0/0/2027', ''])(
    '“%s” is none',
    (text) => {
      expect(dateOf(text, 'dayFirst')).toBeUndefined()
    },
  )

  it.each([
    ['18:00', [18, 0]],
    ['18.05', [18, 5]],
    ['18h30', [18, 30]],
    ['7pm', [19, 0]],
    ['12:15 AM', [0, 15]],
    ['12 p.m.', [12, 0]],
    ['18:00:00', [18, 0]],
  ])('%s is a time', (text, [hour, minute]) => {
    expect(timeOf(text)).toEqual({ hour, minute })
  })

  it.each(['24:00', '18:61', '18', 'noon', '13pm', ''])('“%s” is none', (text) => {
    expect(timeOf(text)).toBeUndefined()
  })

  it('which comes first, day or month, is told by a day that can only be one', () => {
    expect(orderOf(['3/4/2027', '3/14/2027'])).toBe('monthFirst')
    expect(orderOf(['3/4/2027', '14/3/2027'])).toBe('dayFirst')
    expect(orderOf(['3/4/2027', 'Ada'])).toBe('dayFirst')
  })

  it('are those of their place, in summer and in winter', () => {
    const at = (month: number, day: number, hour: number, zone: string) =>
      momentIn({ year: 2027, month, day }, { hour, minute: 0 }, zone)
    expect(at(1, 6, 18, 'Europe/Oslo')).toBe('2027-01-06T17:00:00.000Z')
    expect(at(7, 6, 18, 'Europe/Oslo')).toBe('2027-07-06T16:00:00.000Z')
    // the hours around the change to summer time
    expect(at(3, 28, 1, 'Europe/Oslo')).toBe('2027-03-28T00:00:00.000Z')
    expect(at(3, 28, 3, 'Europe/Oslo')).toBe('2027-03-28T01:00:00.000Z')
    expect(at(3, 6, 9, 'Pacific/Auckland')).toBe('2027-03-05T20:00:00.000Z')
    expect(localDay('2027-03-05T20:00:00.000Z', 'Pacific/Auckland')).toBe('2027-03-06')
  })
})
