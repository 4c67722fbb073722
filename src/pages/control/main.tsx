import { mount } from '../ui/mount.tsx'
import { ControlRoom } from './app.tsx'

mount(<ControlRoom />)
