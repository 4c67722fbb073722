import { COPIES, commands, docsPage } from './docs-frame.ts'

const KEY = `export KEY=service_…`

const find = (url: string) => `get() {
  curl -sS --fail-with-body "${url}/rest$1" -H "Authorization: Bearer $KEY"
}
value() { grep -o "\\"$1\\":[^,}]*" | head -n 1 | cut -d : -f 2- | tr -d '"'; }

OVERLAY=$(get '/v1/overlays?limit=1' | value id)
ROOM=$(get "/v1/overlays/$OVERLAY" | value controlRoomId)
PRESET=$(get "/v2/control-rooms/$ROOM/presets" | value id)
get "/v1/overlays/$OVERLAY" | value productionUrl   # open this one in a browser`

const fire = (url: string) => `fire() {
  curl -sS --fail-with-body "${url}/rest/v2/overlays/$OVERLAY/graphics/commands" \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "$1" && echo
}

fire '{"action":"show","presetId":'$PRESET'}'
fire '{"action":"hide","presetId":'$PRESET'}'
fire '{"action":"hideAll"}'   # the panic key: always allowed, never counted`

const LOG = `get "/v2/overlays/$OVERLAY/as-run?format=csv" > as-run.csv`

const caspar = 'PLAY 1-20 [HTML] "ADDRESS"'

/** How a new user gets a graphic on air, with commands that carry this server's address. */
export function startPage(publicUrl: string): string {
  const body = `
<ol class="steps">
<li><h2>Sign in, make a match</h2>
<p>Open the <a href="../dashboard">dashboard</a> with the e-mail address and password that the first start printed. <b>New match</b> asks for the
teams, the kick-off and the look, and answers with the addresses of its overlay: one for the mixer, one for the operator, one for whoever watches.
The demo's match is there already.</p></li>
<li><h2>Put the overlay into the mixer</h2>
<p>The overlay address is a transparent page of 1920×1080. It reconnects by itself and keeps its picture while it is alone: nothing has to
be refreshed during a show. Add <code>?bg=checker</code> to see it in a tab.</p>
<div class="cards">
<section><h3>OBS</h3><p>Sources, <b>+</b>, <b>Browser</b>. The address as URL, width 1920, height 1080, <b>Use custom frame rate</b> 50 or 60. Leave <i>Shutdown source
when not visible</i> and <i>Refresh browser when scene becomes active</i> off.</p></section>
<section><h3>vMix</h3><p><b>Add Input</b>, <b>Web Browser</b>. The address as URL, width 1920, height 1080. Put it on an overlay channel; it is transparent.</p></section>
<section><h3>CasparCG</h3><p>On a channel of 1080p or 1080i, above the video:</p><pre tabindex="0"><code>${caspar.replaceAll('"', '&quot;')}</code></pre></section>
</div></li>
<li><h2>Fire the first graphic</h2>
<p>Open the control room address on another screen, a tablet will do, and press a preset. It is on every renderer within a frame, and the button says when
it was painted. The same from a terminal, with an API key: the first start printed one, and <a href="../dashboard/keys">API keys</a> makes others.</p>
${commands(KEY)}
${commands(find(publicUrl))}
${commands(fire(publicUrl))}
<p>What a command is answered is durable. Send an <code>Idempotency-Key</code> with it, and sending it twice does no harm.</p></li>
<li><h2>Follow it</h2>
<p>Panels and scripts hear of every change on a <a href="live">live socket</a> instead of asking again and again. The monitoring address shows a producer what
is on air, on how many renderers, and how fast.</p></li>
<li><h2>Export what was on air</h2>
<p>Every show, update and hide with who asked for it and when each renderer painted it; the dashboard has the same, with seconds on screen by
graphic and by sponsor.</p>
${commands(LOG)}</li>
<li><h2>Keep it</h2>
<p>On the machine that runs the server, beside it, whenever you like:</p>
<pre tabindex="0"><code>npm run -s admin -- backup --to tally.tar</code></pre>
<p>and <code>restore --from tally.tar</code> on an empty one. Everything else that can be done is in the <a href="../docs">API reference</a>.</p></li>
</ol>`
  return docsPage({
    name: 'start',
    title: 'Get started',
    lead: '<p>From nothing to a graphic on air, in the order in which people do it. Commands carry the address of this server.</p>',
    body,
    scripts: COPIES,
  })
}
