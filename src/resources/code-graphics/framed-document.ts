import type { ByteSource } from '../../http/message.ts'

/**
 * The script that runs before anything of a graphic's own page, only in the frame of a page of ours.
 * A page in a dark scheme of colours has an opaque ground in a frame of another scheme, and would cover the picture.
 * Nobody has a console open on a browser source: faults are told to the page around it, which also asks whether the graphic still runs.
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

const prelude = Buffer.from(PRELUDE)

/** The page of a graphic as a frame of ours loads it. */
export function framedDocument(html: Buffer): Buffer {
  const place = preludePlace(html)
  return place === undefined ? html : Buffer.concat([html.subarray(0, place), prelude, html.subarray(place)])
}

/** The same of a page whose bytes are fetched as they are sent: the place is found in the first of them. */
export async function framedFile(html: ByteSource): Promise<ByteSource> {
  const place = preludePlace(html.size > 0 ? await html.at(0) : Buffer.alloc(0))
  if (place === undefined) return html
  return {
    size: html.size + prelude.length,
    at(offset) {
      if (offset >= place + prelude.length) return html.at(offset - prelude.length)
      if (offset >= place) return prelude.subarray(offset - place)
      const bytes = html.at(offset)
      const before = (read: Buffer) => read.subarray(0, place - offset)
      return bytes instanceof Promise ? bytes.then(before) : before(bytes)
    },
  }
}

/** How many bytes stand before it, by the first bytes of a document; undefined when it may not stand anywhere. */
function preludePlace(start: Buffer): number | undefined {
  // in two bytes a character it would be another text
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) return undefined
  return HEAD.exec(start.toString('latin1'))?.[0].length ?? 0
}
