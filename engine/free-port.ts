import { createServer } from 'node:net'

/**
 * A TCP port on 127.0.0.1 that is free now: the preferred one if it is (after a crash the clients
 * still know it), else any.
 *
 * @throws Error when this machine gives no port at all.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await tryListen(preferred)) !== null) return preferred
  const port = await tryListen(0)
  if (port === null) throw new Error('no free TCP port on 127.0.0.1')
  return port
}

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const found = address !== null && typeof address === 'object' ? address.port : null
      server.close(() => resolve(found))
    })
  })
}
