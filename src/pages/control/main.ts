import { openConsole } from '../console/console.ts'

openConsole('control', 'Control room')
