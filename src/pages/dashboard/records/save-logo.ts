import { api } from '../api.ts'
import { uploadLogo } from '../upload-logo.ts'
import { fileOf, type LogoChoice } from './logo-field.tsx'

/** Does what was chosen for the logo at a path of the API: `/v1/teams/5/logo`. Throws Refusal. */
export async function saveLogo(path: string, choice: LogoChoice): Promise<void> {
  if (choice === 'none') await api('DELETE', path)
  else if (choice) await uploadLogo(path, await fileOf(choice))
}
