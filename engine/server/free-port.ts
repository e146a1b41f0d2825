import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to connections. So no connection takes the port of
 * a killed server before its next start.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const MAX_TRIES = 50

/** A killed process counts as dead shortly before the system releases its sockets. */
const RELEASE_PATIENCE_MS = 3_000
const RELEASE_POLL_MS = 20

/**
 * A free TCP port on 127.0.0.1. Prefers the given port, and waits for it, because clients of a crashed server still know
 * it.
 *
 * @throws Error when no port is free.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await becomesFree(preferred))) return preferred
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await canListen(port)) return port
  }
  throw new Error(`no free TCP port on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}`)
}

async function becomesFree(port: number): Promise<boolean> {
  const deadlineMs = Date.now() + RELEASE_PATIENCE_MS
  while (!(await canListen(port))) {
    if (Date.now() > deadlineMs) return false
    await sleep(RELEASE_POLL_MS)
  }
  return true
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
