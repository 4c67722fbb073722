/**
 * What runs before anything of a graphic's own page, in the frame of a page of ours alone.
 * A page in a dark scheme of colours has an opaque ground in a frame of another scheme, and would cover the picture.
 * Nobody has a console open on a browser source: what fails is told to the page around it, which also asks whether the graphic still runs.
 * Nothing of it is left in the document. Browsers keep it for good, so another prelude needs another address than `?framed`.
 */
const PRELUDE = `<script>{
  const page = parent;
  const say = (type, payload) => page.postMessage({ type, payload }, '*');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root{color-scheme:light!important}');
  document.adoptedStyleSheets = [sheet];
  addEventListener('message', (event) => {
    if (event.source !== page || !event.data || event.data.type !== 'PULSE') return;
    event.stopImmediatePropagation();
    say('PULSE', event.data.payload);
  }, true);
  const nameOf = (url) => String(url).replace(/^.*\\/bundles\\/[^/]+\\//, '').replace(/\\?framed$/, '');
  const placeOf = ({ filename, lineno }) => filename ? ' (' + nameOf(filename) + ':' + lineno + ')' : '';
  const failure = (event) => event.target === window ? event.message + placeOf(event)
    : nameOf([event.target.src, event.target.href].find((url) => url && url.at) || event.target.localName) + ' did not load';
  let said = 0;
  const cry = (message) => said++ < 100 && say('ERROR', { message });
  addEventListener('error', (event) => cry(failure(event)), true);
  addEventListener('unhandledrejection', ({ reason }) => cry(String(reason)));
  addEventListener('beforeunload', () => say('PULSE', { id: -1 }));
  document.currentScript.remove();
  say('PULSE', { id: 0 });
}</script>`.replace(/\n */g, ' ') // on one line, so that the numbers of theirs stay

const ATTRIBUTES = `(?:[^>"']|"[^"]*"|'[^']*')*`
const SPACE = '(?:\\s|<!--[\\s\\S]*?-->)*'
/** All that may stand before the first element of the head. */
const HEAD = new RegExp(
  `^(?:\\u00ef\\u00bb\\u00bf)?${SPACE}(?:<!doctype${ATTRIBUTES}>)?${SPACE}(?:<html(?=[\\s>])${ATTRIBUTES}>)?${SPACE}(?:<head(?=[\\s>])${ATTRIBUTES}>)?`,
  'i',
)

/** The page of a graphic as a frame of ours loads it. */
export function framedDocument(html: Buffer): Buffer {
  // in two bytes a character it would be another text
  if ((html[0] === 0xff && html[1] === 0xfe) || (html[0] === 0xfe && html[1] === 0xff)) return html
  const [{ length }] = HEAD.exec(html.toString('latin1')) ?? ['']
  return Buffer.concat([html.subarray(0, length), Buffer.from(PRELUDE), html.subarray(length)])
}
