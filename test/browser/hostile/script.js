// a graphic that is polite to the overlay page and tries everything else; `attempts` says what came of it, `done` last
const attempts = {}
window.attempts = attempts
addEventListener('message', ({ data }) => {
  if (data?.type === 'HELLO') parent.postMessage({ type: 'READY' }, '*')
  if (data?.payload?.seq !== undefined) parent.postMessage({ type: 'READY', payload: { seq: data.payload.seq } }, '*')
})
const attempt = async (name, run) => {
  try {
    const got = await run()
    attempts[name] = got === undefined ? 'done' : got
  } catch (error) {
    attempts[name] = error?.name ?? String(error)
  }
}
const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 10_000, 'pending'))])
const database = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open('stolen')
    asked.onsuccess = () => resolve('opened')
    asked.onerror = () => reject(asked.error)
  })
const submit = () => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/rest/v1/teams?by=form'
  document.body.append(form)
  form.submit()
}
const image = (src) =>
  new Promise((resolve, reject) => {
    const made = new Image()
    made.crossOrigin = 'anonymous'
    made.onload = () => resolve(made)
    made.onerror = () => reject(new Error('image'))
    made.src = src
  })
const pixel = async () => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const pen = canvas.getContext('2d')
  pen.drawImage(await image('picture.png'), 0, 0)
  return pen.getImageData(0, 0, 1, 1).data[3]
}
const framed = () =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.onload = () => resolve(frame.contentDocument === null ? 'closed' : 'open')
    frame.src = '/docs/changes'
    document.body.append(frame)
  })
await attempt('origin', () => String(self.origin))
await attempt('read cookies', () => document.cookie)
await attempt('write cookies', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: it is what a hostile script does
  document.cookie = 'planted=1; path=/'
})
await attempt('localStorage', () => localStorage.setItem('planted', '1'))
await attempt('sessionStorage', () => sessionStorage.setItem('planted', '1'))
await attempt('indexedDB', () => within(database()))
await attempt('caches', () => within(caches.open('stolen').then(() => 'opened')))
await attempt('service worker', () => within(navigator.serviceWorker.register('worker.js').then(() => 'registered')))
await attempt(
  'call with credentials',
  async () => (await fetch('/rest/v1/teams?by=fetch', { credentials: 'include' })).status,
)
await attempt(
  'write with credentials',
  async () =>
    (
      await fetch('/rest/v1/teams?by=post', {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
)
await attempt('call without', async () => (await fetch('/rest/v1/teams?by=nobody')).status)
await attempt('read the page of the server', async () => (await fetch('/docs/changes')).status)
await attempt('read a nested page', () => within(framed()))
await attempt('read the parent', () => {
  if (parent === self) throw { name: 'alone' }
  return parent.document.title
})
await attempt('address of the parent', () => {
  if (parent === self) throw { name: 'alone' }
  return parent.location.href
})
await attempt('referrer', () => document.referrer)
await attempt('devices', () =>
  ['camera', 'microphone', 'geolocation'].filter((name) => document.featurePolicy.allowsFeature(name)),
)
await attempt('popup', () => (window.open('/docs?by=popup') === null ? 'none' : 'opened'))
await attempt('dialog', () => (confirm('sure?') ? 'confirmed' : 'none'))
await attempt('submit a form', submit)
await attempt('navigate the top page', () => {
  if (top === self) throw { name: 'alone' }
  top.location.href = '/docs?by=top'
})
await attempt('own module', async () => (await import('./module.js')).value)
await attempt('own data', async () => (await (await fetch('data.json')).json()).value)
await attempt('own font', async () => {
  const face = new FontFace('Own', 'url(font.woff2)')
  await face.load()
  return face.status
})
await attempt('own image in a canvas', pixel)
attempts.done = true
