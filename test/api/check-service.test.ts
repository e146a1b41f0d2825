import { describe, expect, test } from 'vitest'
import { checkService } from '../../api/check-service.ts'
import { failure, useService } from './use-service.ts'

const service = useService()
const { connect } = service

describe('checkService', () => {
  test.each([
    ['the interface', 200, '{"status":"OK"}', null],
    ['a profile of another word', 200, '{"gecko_says":"(V3) To the Moon!"}', null],
    ['too many requests', 429, '', null],
    ['a web page', 200, '<html>', 'SOURCE_NOT_A_SERVICE'],
    ['another API', 200, '{"hello":1}', 'SOURCE_NOT_A_SERVICE'],
    ['a path that is not there', 404, 'Not found', 'SOURCE_NOT_A_SERVICE'],
    ['a wrong key', 401, '{"error":"invalid API key"}', 'SOURCE_AUTH'],
    ['trouble', 503, '', 'SOURCE_UNAVAILABLE'],
  ])('%s', async (_, status, body, code) => {
    service.server.answer((request, response) => response.writeHead(status).end(body))
    const checked = checkService(connect())
    const kind = status === 429 ? 'throttled' : 'ok'
    if (code === null) return await expect(checked).resolves.toMatchObject({ kind })
    expect(await failure(checked)).toMatchObject({ code, exitCode: 4 })
  })

  test.each([
    ['{"status":"OK"}', { field: 'status', equals: 'OK' }, true],
    ['{"status":"down"}', { field: 'status', equals: 'OK' }, false],
    ['{"gecko_says":"hi"}', { field: 'status', equals: 'OK' }, false],
    ['{"gecko_says":"hi"}', { field: 'gecko_says', equals: null }, true],
  ])('%s beside the profile %j: %s', async (body, ping, isService) => {
    service.server.answer((_, response) => response.end(body))
    const checked = checkService(connect(), { pings: [ping] })
    if (isService) return await expect(checked).resolves.toMatchObject({ kind: 'ok' })
    expect(await failure(checked)).toMatchObject({ code: 'SOURCE_NOT_A_SERVICE', retryable: false })
  })
})
