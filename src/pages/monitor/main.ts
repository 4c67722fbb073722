import { openConsole } from '../console/console.ts'

openConsole('monitor', 'Monitor, view only')
