import './desk.css'
import { mount } from '../ui/mount.tsx'
import { MatchDesk } from './app.tsx'
import { install } from './app-install.ts'
import { DeskLink } from './link.ts'

const link = await DeskLink.open()
mount(<MatchDesk link={link} />)
// nothing of it is needed to press the first button
window.setTimeout(() => void install().catch(() => undefined), 1_000)
