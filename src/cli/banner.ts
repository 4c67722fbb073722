/** The production that the start tells people of. Keys and tokens are in it, so it never goes to the log. */
export type Production = {
  overlay: { id: number; key: string; controlToken: string }
  /** Only when the demo was just made: it cannot be shown again. */
  apiKey?: string
  /** Only when the account was just made: the password cannot be shown again. */
  owner?: { email: string; password: string }
  /** Where video comes in, or why it does not; the URL is empty then. */
  input?: { rtmpUrl: string; streamKey: string; lacks?: string }
  /** A preset that puts a graphic on air. */
  preset?: { id: number; graphicName: string }
}

/** Lines for a terminal: where everything is, and one curl that puts a graphic on air. */
export function banner(publicUrl: string, production: Production | undefined): string {
  const lines = ['', `  Tally serves ${publicUrl}`]
  if (production) {
    const { overlay, apiKey, owner, preset, input } = production
    lines.push('', `  dashboard     ${publicUrl}/dashboard`)
    if (owner) lines.push(`  sign in as    ${owner.email}`, `  password      ${owner.password}   (shown only now)`, '')
    lines.push(
      `  overlay       ${publicUrl}/overlay/${overlay.key}`,
      `  control room  ${publicUrl}/control/${overlay.controlToken}`,
    )
    if (input?.rtmpUrl) lines.push(`  video in      ${input.rtmpUrl}/${input.streamKey}`)
    else if (input?.lacks) lines.push(`  video in      none: ${input.lacks.split('\n', 1)[0]}`)
    lines.push(`  API docs      ${publicUrl}/docs`)
    lines.push(
      `  API key       ${apiKey ? `${apiKey}   (shown only now)` : 'shown at the first start; a new production with its own key:'}`,
    )
    if (!apiKey) lines.push('                npm run -s admin -- demo --name "My show" --json')
    if (apiKey && preset)
      lines.push(
        '',
        `  Open the overlay in a browser or in OBS, then put ${preset.graphicName} on air:`,
        '',
        `  curl -X POST ${publicUrl}/rest/v2/overlays/${overlay.id}/graphics/commands \\`,
        `    -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\`,
        `    -d '{"action":"show","presetId":${preset.id}}'`,
      )
  } else lines.push('', `  dashboard     ${publicUrl}/dashboard`, `  API docs      ${publicUrl}/docs`)
  return `${lines.join('\n')}\n\n`
}
