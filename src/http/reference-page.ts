import { docsPage } from './docs-frame.ts'

// the look of the pages, in the words of the script
const REDOC = {
  hideDownloadButton: true,
  nativeScrollbars: true,
  scrollYOffset: '.places',
  theme: {
    colors: {
      tonalOffset: 0.3,
      primary: { main: '#8fc1ff' },
      success: { main: '#35d28a' },
      warning: { main: '#ffb020', contrastText: '#1c1300' },
      error: { main: '#ff6b6b' },
      gray: { 50: '#1a2136', 100: '#2a3350' },
      text: { primary: '#eef2fb', secondary: '#a3afca' },
      border: { dark: '#66759c', light: '#2a3350' },
      responses: {
        success: { color: '#35d28a', backgroundColor: '#10251f', tabTextColor: '#35d28a' },
        error: { color: '#ff6b6b', backgroundColor: '#2b1720', tabTextColor: '#ff8a8a' },
        redirect: { color: '#ffb020', backgroundColor: '#2a2113', tabTextColor: '#ffb020' },
        info: { color: '#8fc1ff', backgroundColor: '#14233a', tabTextColor: '#8fc1ff' },
      },
      http: {
        get: '#2b7fd0',
        post: '#178254',
        put: '#8a6414',
        patch: '#8a6414',
        delete: '#c4142a',
      },
    },
    schema: {
      nestedBackground: '#121726',
      linesColor: '#66759c',
      typeNameColor: '#a3afca',
      typeTitleColor: '#a3afca',
      requireLabelColor: '#ffb020',
      arrow: { color: '#a3afca' },
    },
    typography: {
      fontSize: '16px',
      fontFamily: 'Barlow, system-ui, sans-serif',
      headings: { fontFamily: 'Barlow, system-ui, sans-serif', fontWeight: '600' },
      code: {
        fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace',
        color: '#eef2fb',
        backgroundColor: '#0d111d',
      },
      links: { color: '#8fc1ff', visited: '#8fc1ff', hover: '#eef2fb' },
    },
    sidebar: { backgroundColor: '#0d111d', textColor: '#eef2fb', activeTextColor: '#d4ff3a' },
    rightPanel: { backgroundColor: '#121726', textColor: '#eef2fb' },
    codeBlock: { backgroundColor: '#0d111d' },
  },
}

/** The API reference, drawn by a script from the description that machines read. */
export const REFERENCE = docsPage({
  name: '',
  title: 'Tally API',
  wide: true,
  lead: `<p id="beta"><strong>Beta:</strong> operations marked Beta can change between minor versions; every change is in the
<a href="docs/changes">change history</a>. The machine-readable description is <a href="rest/swagger.json">swagger.json</a>.</p>`,
  body: '<div id="reference"></div>',
  scripts: `<script src="docs/redoc.js"></script>
<script>Redoc.init('rest/swagger.json', ${JSON.stringify(REDOC)}, document.getElementById('reference'))</script>`,
})
