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

/** The API reference, drawn by an element from the description that machines read. It sends no request to the API by itself. */
export const REFERENCE = docsPage({
  name: '',
  title: 'Tally API',
  wide: true,
  lead: `<p id="beta"><strong>Beta:</strong> operations marked Beta can change between minor versions; every change is in the
<a href="docs/changes">change history</a>. The machine-readable description is <a href="rest/swagger.json">swagger.json</a>.</p>`,
  body: `<openapi-explorer id="reference" spec-url="rest/swagger.json" layout="column" hide-server-selection hide-authentication
hide-console ${look.join(' ')}></openapi-explorer>`,
  scripts: '<script type="module" src="docs/reference.js"></script>',
})
