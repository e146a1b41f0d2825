import { connect } from 'node:net'

const PATIENCE_MS = 2_000

/** Whether a process listens on a TCP port of 127.0.0.1. Never throws. */
export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PATIENCE_MS })
    const settle = (accepts: boolean) => {
      socket.destroy()
      resolve(accepts)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}
