import { runCommand } from './run.ts'

// a reader that has seen enough, such as `head`
process.stdout.on('error', () => {})
process.exitCode = await runCommand(process.argv.slice(2), process)
