import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Api } from '../theme-files/api.ts'
import * as production from './production.ts'

const BrandAnswer = z.object({ id: z.number(), name: z.string() })
const UploadAnswer = z.object({ uploadId: z.number(), url: z.string(), headers: z.record(z.string(), z.string()) })

/** Makes the brands of the demo, with the logos of its theme folder, and the sponsor slots of a theme profile; as everybody does. */
export async function createSponsors(
  api: Api,
  themeFolder: string,
  { competitionId, profileId }: { competitionId: number; profileId: number },
): Promise<void> {
  const ids = new Map<string, number>()
  for (const { brand, logo } of production.brands) {
    const { id, name } = await api.write('POST', '/v2/brands', brand, BrandAnswer)
    ids.set(name, id)
    await setLogo(api, id, join(themeFolder, 'brands', logo))
  }
  const slots = production.sponsorSlots.map(({ id, name, shares }) => ({
    id,
    name,
    brands: Object.entries(shares).map(([brand, share]) => ({ brandId: ids.get(brand), share })),
  }))
  const profile = `/v2/competitions/${competitionId}/theme-profiles/${profileId}`
  await api.write('PUT', `${profile}/sponsor-slots`, { slots }, z.unknown())
}

/** Nothing where there is no such file. */
async function setLogo(api: Api, brandId: number, path: string): Promise<void> {
  if (!existsSync(path)) return
  const bytes = await readFile(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const declared = { filename: basename(path), contentType: 'image/png', size: bytes.length, sha256 }
  const { uploadId, url, headers } = await api.write(
    'POST',
    `/v2/brands/${brandId}/logo/uploads`,
    declared,
    UploadAnswer,
  )
  await api.upload(url, headers, bytes)
  await api.write('PUT', `/v2/brands/${brandId}/logo`, { uploadId }, z.unknown())
}
