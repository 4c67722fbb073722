import { createServer } from 'node:net'
import { loadNms } from '../src/media/ingest/nms.ts'

// takes any video, and agrees on large chunks as the servers of platforms do
const { RtmpSession, context, logger } = loadNms()
context.config = {}
logger.level = 'error'
const server = createServer((socket) => {
  const session = new RtmpSession(socket)
  context.sessions.set(session.id, session)
  session.run()
})
server.listen(Number(process.argv[2]), '127.0.0.1')
