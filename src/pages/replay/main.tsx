import { mount } from '../ui/mount.tsx'
import { Replay } from './app.tsx'

mount(<Replay />)
