import { HOUR_MS } from '../../config/values/duration.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../config/clock.ts'
import { ceilSeconds } from '../../service/callers/quota-headers.ts'
import { createToldQuota, toldHeaders } from '../../test/parts/told-quota.ts'
import type { BudgetCase } from './budget-cases.ts'

// The service of budget.ts and small.ts, in a process of its own. Answers any market_chart/range with hourly points, counts
// calls, and notes when each was answered or refused.

/** Time of each call, epoch ms. */
export interface CallTimes {
  good: number[]
  refused: number[]
  foreignGood: number[]
  foreignRefused: number[]
}

/** 90 days, the longest span of a request for hours. */
const MAX_POINTS = 90 * 24 + 1

const { quota: options, resetUnit, foreignCalls } = JSON.parse(process.argv[2]!) as BudgetCase
const take = createToldQuota(options, systemClock)
const calls: CallTimes = { good: [], refused: [], foreignGood: [], foreignRefused: [] }

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const nowMs = Date.now()
  const state = take()
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(resetUnit === null ? {} : toldHeaders(state, resetUnit, nowMs)),
    ...(resetUnit === null && !state.allowed
      ? { 'retry-after': ceilSeconds(state.resetInMs) }
      : {}),
  }
  if (!state.allowed) {
    calls.refused.push(nowMs)
    response.writeHead(429, headers).end('{"error":"too many requests"}')
    return
  }
  calls.good.push(nowMs)
  const [fromMs = 0, toMs = 0] = ['from', 'to'].map(
    (name) => Number(url.searchParams.get(name)) * 1000,
  )
  response.writeHead(200, headers).end(chart(fromMs, toMs))
})

/** A body with a point for each hour of the request. */
function chart(fromMs: number, toMs: number): string {
  const count = Math.max(0, Math.min(MAX_POINTS, Math.floor((toMs - fromMs) / HOUR_MS) + 1))
  const points = Array.from({ length: count }, (_, hour) => [fromMs + hour * HOUR_MS, hour / 7])
  return JSON.stringify({ prices: points, market_caps: points, total_volumes: points })
}

if (foreignCalls > 0) {
  // Another client of the key calls at a fixed pace and ignores refusals.
  const timer = setInterval(() => {
    const { allowed } = take()
    ;(allowed ? calls.foreignGood : calls.foreignRefused).push(Date.now())
  }, options.perMs / foreignCalls)
  timer.unref()
}

process.on('message', () => process.send?.(calls))
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
