import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chartBody } from './chart-bodies.ts'
import type { ServiceTimes } from './bench-service.ts'

// The process behind bench-service.ts: answers made before the first request, sent as they are, no
// limit, no latency, no compression, so that what is measured is the client.

const PATH = /^\/v2\/coins\/coin-(\d+)\/market_chart\/range\?/

const bodies = Array.from({ length: Number(process.argv[2]) }, (_, seed) => chartBody(seed))
let times: ServiceTimes = { calls: 0, firstAtMs: 0, lastAtMs: 0 }

const server = createServer((request, response) => {
  const coin = PATH.exec(request.url ?? '')?.[1]
  const body = coin === undefined ? undefined : bodies[Number(coin) % bodies.length]
  if (body === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    return
  }
  times.lastAtMs = Date.now()
  if (times.calls === 0) times.firstAtMs = times.lastAtMs
  times.calls += 1
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.byteLength,
  })
  response.end(body)
})

process.on('message', () => {
  process.send?.(times)
  times = { calls: 0, firstAtMs: 0, lastAtMs: 0 }
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
