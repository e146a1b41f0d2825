import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chartBody } from './chart-bodies.ts'
import type { BenchBodies, ServiceCalls } from './bench-service.ts'
import { marketPage } from './market-bodies.ts'

// The service of bench-service.ts, in a process of its own. Answers are made before the first request, and sent without
// limit, latency or compression: only the client is measured.

const CHART = /^\/v2\/coins\/coin-(\d+)\/market_chart\/range\?/
const MARKETS = /^\/pages-(\d+)\/v2\/coins\/markets\?(.*)$/
const BEYOND_LAST_PAGE = Buffer.from('[]')

const { charts, marketPages } = JSON.parse(process.argv[2]!) as BenchBodies
const chartBodies = Array.from({ length: charts }, (_, seed) => chartBody(seed))
const pageBodies = Array.from({ length: marketPages }, (_, index) => marketPage(index + 1))
let times: ServiceCalls = { calls: 0, firstAtMs: 0 }

function bodyOf(url: string): Buffer | undefined {
  const coin = CHART.exec(url)?.[1]
  if (coin !== undefined) return chartBodies[Number(coin) % chartBodies.length]
  const [, pages, query] = MARKETS.exec(url) ?? []
  if (pages === undefined) return undefined
  const page = Number(new URLSearchParams(query).get('page') ?? 1)
  return page > Number(pages) ? BEYOND_LAST_PAGE : pageBodies[page - 1]
}

const server = createServer((request, response) => {
  const body = bodyOf(request.url ?? '')
  if (body === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    return
  }
  if (times.calls === 0) times.firstAtMs = Date.now()
  times.calls += 1
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.byteLength,
  })
  response.end(body)
})

process.on('message', () => {
  process.send?.(times)
  times = { calls: 0, firstAtMs: 0 }
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
