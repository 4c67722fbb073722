import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspectImage } from '../../src/store/images.ts'
import { bomb, gif, png, pngOfSize } from '../support/images.ts'
import { seeded } from '../support/random.ts'

const pictures: [string, Buffer][] = []

beforeAll(async () => {
  const pixels = sharp(png(60, 40, 170))
  pictures.push(
    ['a PNG', png(60, 40, 170)],
    ['an interlaced PNG', await pixels.clone().png({ progressive: true }).toBuffer()],
    ['a PNG with a palette', await pixels.clone().png({ palette: true }).toBuffer()],
    ['a JPEG', await pixels.clone().jpeg().toBuffer()],
    ['a progressive JPEG', await pixels.clone().jpeg({ progressive: true }).toBuffer()],
    ['a grey JPEG', await pixels.clone().grayscale().jpeg().toBuffer()],
  )
})

describe('[Teams 3] what counts as an image', () => {
  it('every kind of PNG and JPEG does, with its size', async () => {
    for (const [name, bytes] of pictures)
      expect([name, await inspectImage(bytes)]).toEqual([
        name,
        { contentType: name.endsWith('JPEG') ? 'image/jpeg' : 'image/png', width: 60, height: 40 },
      ])
    expect(await inspectImage(pngOfSize(512_000))).toMatchObject({ width: 8, height: 8 })
  })

  it('none that was cut off anywhere does', async () => {
    for (const [name, bytes] of pictures)
      for (let part = 0; part < 24; part++) {
        const length = Math.floor((bytes.length * part) / 24)
        expect([name, length, await inspectImage(bytes.subarray(0, length))]).toEqual([name, length, undefined])
      }
    for (const [name, bytes] of pictures)
      expect([name, await inspectImage(bytes.subarray(0, -2))]).toEqual([name, undefined])
  })

  it('nothing else does, whatever decoders the library has', async () => {
    const others = [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      gif,
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), gif]),
      Buffer.from('P1 2 2 0 1 1 0'),
      Buffer.from('%PDF-1.4'),
    ]
    for (const bytes of others) expect(await inspectImage(bytes)).toBeUndefined()
  })

  it('a picture that would be huge when decoded does not, and costs no memory', async () => {
    expect(await inspectImage(bomb(4_096, 4_096))).toMatchObject({ width: 4_096 })
    const before = process.memoryUsage().rss
    for (const [width, height] of [
      [4_097, 4_096],
      [20_000, 20_000],
      [30_000, 30_000],
    ] as const)
      expect(await inspectImage(bomb(width, height))).toBeUndefined()
    // the pixels of the last one alone would be 900 MB
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000)
  })

  it('bytes that were altered at random never do harm: an answer comes, and the next picture is judged as ever', async () => {
    const random = seeded(7)
    const [, whole] = pictures[0] ?? ['', Buffer.alloc(0)]
    for (let round = 0; round < 300; round++) {
      const altered = Buffer.from(pictures[random.below(pictures.length)]?.[1] ?? whole)
      for (let flips = 0; flips < 4; flips++) altered[random.below(altered.length)] = random.below(256)
      const facts = await inspectImage(altered)
      expect([undefined, 'image/png', 'image/jpeg']).toContain(facts?.contentType)
    }
    expect(await inspectImage(whole)).toMatchObject({ width: 60 })
  })
})
