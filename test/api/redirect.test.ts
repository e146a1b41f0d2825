import { expect, test } from 'vitest'
import { failureHint } from '../../cli/render/failure-hint.ts'
import { CHART, CHART_BODY, CHART_PARAMS, failure, KEY, useService } from './use-service.ts'

const service = useService()
const { connect } = service

test('a redirect on the same host is followed, with a permit for each step', async () => {
  service.server.answer((request, response) => {
    if (request.url?.startsWith('/v2/') === true) {
      response.writeHead(308, { location: request.url.replace('/v2/', '/v3/') }).end()
    } else response.end(CHART_BODY)
  })
  expect(await connect().get(CHART, CHART_PARAMS)).toMatchObject({
    kind: 'ok',
    calls: 2,
    url: `http://127.0.0.1:${service.server.port}/v3/coins/bitcoin/market_chart?vs_currency=usd&days=1`,
  })
  service.server.answer((request, response) =>
    response.writeHead(302, { location: request.url }).end(),
  )
  const looped = await failure(connect().get(CHART, CHART_PARAMS))
  expect(looped.facts.calls).toBe(4)
  const ofLedger = failureHint(looped.code)
  for (const hint of [looped.hint, ofLedger]) {
    expect(hint).toContain('a chain of more than three')
  }
})

const LONG = `https://x.invalid/${'l'.repeat(300)}`
test.each([
  ['a login', 'https://login.invalid/in?token=abc#there', 'to https://login.invalid/in, HTTP 302'],
  ['a user', '//somebody:word@other.invalid', 'to http://other.invalid/, HTTP 302'],
  ['a long path', LONG, `to ${LONG.slice(0, 200)}, HTTP 302`],
  ['the key', `https://x.invalid/${KEY}`, 'to https://x.invalid/'],
  ['no URL', 'http://[', 'to an address that it does not name, HTTP 302'],
  ['nothing', undefined, 'to an address that it does not name, HTTP 302'],
])('a redirect to %s says where, without secrets, and what to do', async (_, to, says) => {
  service.server.answer((_, response) =>
    response.writeHead(302, to === undefined ? {} : { location: to }).end(),
  )
  const error = await failure(connect().get(CHART, CHART_PARAMS))
  expect(error.message).toContain(`the source redirects ${says}`)
  expect(error.message).not.toMatch(/abc|word|there/)
  expect(error.message).not.toContain(KEY)
  expect(error.hint).toContain('source.base_url')
  expect(error.hint).not.toContain('ids')
})
