import { z } from 'zod'
import { Id } from '../../schema/fields.ts'
import { UploadCreation } from '../uploads.ts'

/** spec: Limits, 500 KB as 500 times 1,024 bytes */
const MAX_LOGO_BYTES = 512_000

/** spec: Teams 4 */
export const LogoUploadCreation = UploadCreation.extend({
  contentType: z.enum(['image/png', 'image/jpeg']),
  size: z.int32().min(1).max(MAX_LOGO_BYTES),
}).meta({ id: 'LogoUploadCreation' })

/** spec: Teams 3 */
export const LogoChoice = z.object({ uploadId: Id }).meta({ id: 'LogoChoice' })
