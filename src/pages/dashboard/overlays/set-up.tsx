import { type ReactNode, useState } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const Steps = ({ children }: { children: ReactNode }) => <ol className="steps">{children}</ol>

/** How the overlay's address gets on program in each of the usual hosts. */
export function SetUp({ url }: { url: string }) {
  const [host, setHost] = useState('obs')
  const tabs = [
    { id: 'obs', title: 'OBS', content: <Obs /> },
    { id: 'vmix', title: 'vMix', content: <Vmix /> },
    { id: 'caspar', title: 'CasparCG', content: <Caspar url={url} /> },
    { id: 'other', title: 'Other', content: <Other /> },
  ]
  return (
    <>
      <Tabs label="Video software" tabs={tabs} selected={host} onSelect={setHost} />
      <p className="field-hint file-hint">
        Started before the server, video software keeps an error page until somebody reloads it. Give it{' '}
        <a href={`${url}/file`} download>
          this file
        </a>{' '}
        in place of the address (in OBS: <b>Local file</b>), and it waits for the server.
      </p>
    </>
  )
}

const Obs = () => (
  <Steps>
    <li>
      Under <b>Sources</b> press <b>+</b>, choose <b>Browser</b>, and keep it above the picture.
    </li>
    <li>
      Paste the address as <b>URL</b>; <b>Width 1920</b>, <b>Height 1080</b>.
    </li>
    <li>
      Turn on <b>Use custom frame rate</b> and set <b>50</b> or <b>60</b>, whichever your program runs at.
    </li>
    <li>
      Leave <b>Shutdown source when not visible</b> and <b>Refresh browser when scene becomes active</b> off: the page
      keeps itself up to date, and would start anew at each cut.
    </li>
    <li>
      In further scenes choose <b>Add existing</b>, so that all show the same page. Custom CSS stays as it is.
    </li>
  </Steps>
)

const Vmix = () => (
  <Steps>
    <li>
      <b>Add Input</b>, then <b>Web Browser</b>.
    </li>
    <li>
      Paste the address as <b>URL</b>; <b>Width 1920</b>, <b>Height 1080</b>, frame rate <b>50</b> or <b>60</b> as your
      production.
    </li>
    <li>
      Put the input on an <b>Overlay</b> channel with no transition. Its background is transparent, and graphics come
      and go by themselves.
    </li>
    <li>
      Leave it on: the page needs no reload, also after the network was away. Choose the newest browser engine on offer.
    </li>
  </Steps>
)

const Caspar = ({ url }: { url: string }) => (
  <Steps>
    <li>
      Run the channel at <b>1080p5000</b>, <b>1080p6000</b> or an interlaced 1080 format; the page fits itself to it.
    </li>
    <li>
      Play the page once, on a layer above the picture:
      <Copy text={`PLAY 1-20 [HTML] "${url}"`} label="CasparCG command" />
    </li>
    <li>
      Leave it there: graphics come and go by themselves, no <b>CG ADD</b> is needed. <b>STOP 1-20</b> takes the layer
      away.
    </li>
    <li>
      For motion graphics set <b>enable-gpu</b> to true under <b>html</b> in casparcg.config.
    </li>
  </Steps>
)

const Other = () => (
  <Steps>
    <li>
      Anything that shows a web page with a transparent background will do: a browser source, an HTML player, a capture
      box.
    </li>
    <li>
      Give it <b>1920 × 1080</b> at <b>50</b> or <b>60</b> frames; other sizes are scaled, 16:9 is kept.
    </li>
    <li>
      With <b>?layers=Score bug</b> at its end the address shows only that graphic, with <b>?debug</b> what the page
      thinks.
    </li>
  </Steps>
)
