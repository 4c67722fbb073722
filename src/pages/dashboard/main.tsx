import { mount } from '../ui/mount.tsx'

mount(
  <main>
    <h1>Tally</h1>
  </main>,
)
