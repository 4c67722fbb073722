import { mount } from '../ui/mount.tsx'
import { Monitor } from './app.tsx'

mount(<Monitor />)
