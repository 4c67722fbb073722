import { docsPage } from './docs-frame.ts'

// the look of the pages, in the words of the element
const LOOK = {
  'bg-color': '#0a0d15',
  'text-color': '#eef2fb',
  'header-color': '#121726',
  'primary-color': '#8fc1ff',
  'secondary-color': '#d4ff3a',
  'nav-bg-color': '#0d111d',
  'nav-text-color': '#eef2fb',
  'nav-hover-bg-color': '#1a2136',
  'nav-hover-text-color': '#ffffff',
}

const look = Object.entries(LOOK).map(([name, colour]) => `${name}="${colour}"`)

/** What the element of a reference draws from a description. `root`: the way from the page to the folder of `docs` and `rest`. */
const drawn = (root: string, description: string) => ({
  wide: true,
  body: `<openapi-explorer id="reference" spec-url="${root}rest/${description}" layout="column" hide-server-selection hide-authentication
hide-console ${look.join(' ')}></openapi-explorer>`,
  scripts: `<script type="module" src="${root}docs/reference.js"></script>`,
})

/** The API reference, drawn by an element from the description that machines read. It sends no request to the API by itself. */
export const REFERENCE = docsPage({
  name: '',
  title: 'Tally API',
  lead: `<p id="beta"><strong>Beta:</strong> operations marked Beta can change between minor versions; every change is in the
<a href="docs/changes">change history</a>. The machine-readable description is <a href="rest/swagger.json">swagger.json</a>.
Controllers of OGraf graphics speak the <a href="docs/ograf-server">OGraf Server API</a>, described by <a href="rest/ograf.json">ograf.json</a>.</p>`,
  ...drawn('', 'swagger.json'),
})

/** The same of the OGraf Server API. */
export const OGRAF_REFERENCE = docsPage({
  name: 'ograf-server',
  place: '',
  title: 'OGraf Server API',
  lead: `<p id="beta"><strong>Beta:</strong> the draft of the EBU of February 2026, below <code>/ograf/v1</code>, and as it changes. What a renderer and an instance
are here stands in <a href="../docs/ograf#controllers">OGraf graphics</a>. The machine-readable description is <a href="../rest/ograf.json">ograf.json</a>.
Everything else is in the <a href="../docs">Tally API</a>.</p>`,
  ...drawn('../', 'ograf.json'),
})
