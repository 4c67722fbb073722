import { mount } from '../ui/mount.tsx'
import './shell.css'
import { App } from './app.tsx'

mount(<App />)
