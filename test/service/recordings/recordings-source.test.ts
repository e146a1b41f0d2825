import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../../api/operations.ts'
import { frozenClock } from '../../../config/clock.ts'
import type { Service } from '../../../service/app.ts'
import { readFaults } from '../../../service/faults/read-faults.ts'
import { newestTimeMs } from '../../../service/recordings/recorded-time.ts'
import { OPERATION_IDS, recordedOperation } from '../../../service/recordings/recording-names.ts'
import { createRecordingsSource } from '../../../service/recordings/recordings-source.ts'
import { startService } from '../../../service/serve-http.ts'
import { pathWith } from '../bad-requests.ts'
import { plainService } from '../../parts/serve-source.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url))

function serve(path: string): Service {
  return plainService(createRecordingsSource(path))
}

/** With the examples of its required parameters, so that any recording can be asked for. */
function pathOf(operation: OperationId, more: Record<string, string> = {}): string {
  return `/v2/${pathWith(operations[operation], more)}`
}

describe.skipIf(!existsSync(SAMPLES))('samples (skipped without ../shared/samples)', () => {
  const named = (existsSync(SAMPLES) ? readdirSync(SAMPLES) : []).flatMap((file) => {
    const operation = recordedOperation(file)
    return operation === null ? [] : [{ file, operation }]
  })

  test('every operation has a sample, and every file but errors and tables is one', () => {
    expect(new Set(named.map(({ operation }) => operation))).toEqual(new Set(OPERATION_IDS))
    const others = readdirSync(SAMPLES).filter((file) => !named.some((one) => one.file === file))
    for (const file of others) expect(file).toMatch(/^(INDEX\.md|csv-|error-)/)
  })

  test.each(named)('$file is answered byte for byte over a socket', async ({ file, operation }) => {
    const server = await startService(serve(join(SAMPLES, file)), { port: 0 })
    try {
      const reply = await fetch(`${server.url}${pathOf(operation)}`)
      expect(reply.status).toBe(200)
      const bytes = readFileSync(join(SAMPLES, file))
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
      const answeredAtMs = Date.parse(reply.headers.get('date')!)
      const newestMs = newestTimeMs(JSON.parse(bytes.toString()))
      if (newestMs !== null) expect(answeredAtMs).toBe(Math.ceil(newestMs / 1_000) * 1_000)
    } finally {
      await server.close()
    }
  })

  test('a folder with several recordings of one operation answers the first and names the others', async () => {
    const source = createRecordingsSource(SAMPLES)
    expect(source.answeredCount).toBe(OPERATION_IDS.length)
    const json = readdirSync(SAMPLES).filter((file) => file.endsWith('.json'))
    expect(source.warnings.length).toBe(json.length - OPERATION_IDS.length)
    expect(source.warnings.join('\n')).toContain('coins-list--julianfssen-coingecko_ruby.json')
    const reply = await serve(SAMPLES).app.request(pathOf('coins/list'))
    const first = readFileSync(join(SAMPLES, 'coins-list--JKorf-CoinGecko.Net.json'), 'utf8')
    expect(await reply.text()).toBe(first)
  })
})

describe('a folder of our own', () => {
  let folder: string
  beforeEach(() => {
    folder = tempDir()
  })
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

  async function dateOf(operation: OperationId, more = {}): Promise<[string, string]> {
    const reply = await serve(folder).app.request(pathOf(operation, more))
    return [await reply.text(), new Date(reply.headers.get('date')!).toISOString()]
  }

  test('bytes stay as they are: spacing, exponents, trailing zeros, key order', async () => {
    const text = '{ "rates" :{"btc": {"value": 1.0e+0, "a":9007199254740993}}\n}\n'
    write('exchange_rates.json', text)
    expect((await dateOf('exchange_rates'))[0]).toBe(text)
  })

  test('files that are not answered are named in the order of the folder', () => {
    const operations = ['exchanges', 'ping', 'ping', 'exchanges']
    const index = operations.map((operation, place) => ({ file: `${place}.json`, operation }))
    write('recordings.json', JSON.stringify(index))
    for (const { file } of index) write(file, '[]')
    const named = createRecordingsSource(folder).warnings.map((warning) => warning.split(' ')[0])
    expect(named).toEqual(['2.json', '3.json'])
  })

  test('a file whose name has no operation is named, and so is an entry without a file', () => {
    write('ping.json', '{}')
    write('exchnges--mine.json', '[]')
    write('notes.txt', '')
    write('recordings.json', JSON.stringify([{ file: 'ping.json' }, { file: 'pong.json' }]))
    expect(createRecordingsSource(folder).warnings).toEqual([
      'exchnges--mine.json is not answered: its name begins with no operation',
      'pong.json of recordings.json is not answered: no such file',
    ])
  })

  test('page 2 of a listing is empty in its own shape; a chart has no pages', async () => {
    write('exchanges--a.json', '[{"id":"x"}]')
    write('exchanges-id-tickers-x--a.json', '{"name":"X","tickers":[{"base":"BTC"}]}')
    const { app } = serve(folder)
    const bodies = ['exchanges', 'exchanges/{id}/tickers'] as const
    const texts = await Promise.all(
      bodies.map(async (id) => (await app.request(pathOf(id, { page: '2' }))).text()),
    )
    expect(texts).toEqual(['[]', '{"name":"X","tickers":[]}'])
    const first = await app.request(pathOf('exchanges', { page: '1' }))
    expect(await first.text()).toBe('[{"id":"x"}]')
  })

  test('a page that recordings.json names is answered; those after it are empty', async () => {
    write('first.json', '[{"id":"x"}]')
    write('second.json', '[{"id":"y"}]')
    const pages = ['first.json', 'second.json'].map((file, place) => ({
      file,
      operation: 'exchanges',
      params: { page: String(place + 1) },
    }))
    write('recordings.json', JSON.stringify(pages))
    const { app } = serve(folder)
    const texts = await Promise.all(
      ['1', '2', '3'].map(async (page) =>
        (await app.request(pathOf('exchanges', { page }))).text(),
      ),
    )
    expect(texts).toEqual(['[{"id":"x"}]', '[{"id":"y"}]', '[]'])
  })

  test.each([
    ['coins-id', 'coins/{id}'],
    ['coins-id-contract', 'coins/{id}/contract/{contract_address}'],
  ] as const)(
    '%s: market_chart and its range stand in for each other, but only where one is missing',
    async (file, of) => {
      write(`${file}-market_chart--a.json`, '{"prices":[[1704067200000,1]]}')
      const [body, date] = await dateOf(`${of}/market_chart/range`)
      expect(body).toContain('1704067200000')
      expect(date).toBe('2024-01-01T00:00:00.000Z')
      write(`${file}-market_chart-range--a.json`, '{"prices":[]}')
      expect((await dateOf(`${of}/market_chart/range`))[0]).toBe('{"prices":[]}')
      rmSync(join(folder, `${file}-market_chart--a.json`))
      expect((await dateOf(`${of}/market_chart`))[0]).toBe('{"prices":[]}')
    },
  )

  test('recordings.json says time, operation and parameters', async () => {
    write('one.json', '[[1704067200000,1,1,1,1]]')
    write('two.json', '[[1704153600000,2,2,2,2]]')
    const entry = { operation: 'coins/{id}/ohlc', recordedAt: '2024-01-01T15:34:00+00:00' }
    const index = [
      { ...entry, file: 'one.json', params: { id: 'bitcoin', days: '7' } },
      { ...entry, file: 'two.json', params: { id: 'ethereum', days: '7' } },
    ]
    write('recordings.json', JSON.stringify(index))
    expect(createRecordingsSource(folder).warnings).toEqual([])
    expect(await dateOf('coins/{id}/ohlc')).toEqual([
      '[[1704067200000,1,1,1,1]]',
      '2024-01-01T15:34:00.000Z',
    ])
    expect((await dateOf('coins/{id}/ohlc', { id: 'ethereum' }))[0]).toContain('1704153600000')
  })

  test.each([
    ['a good answer', [], 200, 40],
    [
      'a refusal on purpose',
      readFaults('faults', '[{ fault: rate_status, told: reset, wait_ms: 2000 }]', 1),
      429,
      2,
    ],
  ])('%s tells the reset on the clock of its own Date', async (_, faults, status, resetInS) => {
    write('coins-list--newer.json', '[]')
    write('exchange_rates--older.json', '{"rates":{},"updated_at":1704067200}')
    const quota = { calls: 9, perMs: 60_000 }
    const realClock = frozenClock(Date.parse('2024-05-06T07:08:20Z'))
    const source = createRecordingsSource(folder)
    const { app } = plainService(source, { quota, realClock, faults })
    const { headers, status: told } = await app.request(pathOf('exchange_rates'))
    expect(told).toBe(status)
    const dateS = Date.parse(headers.get('date')!) / 1_000
    expect([dateS, Number(headers.get('x-ratelimit-reset')) - dateS]).toEqual([
      1_704_067_200,
      resetInS,
    ])
  })

  test('without a time in the body the file tells it', async () => {
    write('coins-list--a.json', '[]')
    utimesSync(join(folder, 'coins-list--a.json'), 1_700_000_000, 1_700_000_000)
    expect((await dateOf('coins/list'))[1]).toBe('2023-11-14T22:13:20.000Z')
  })

  test('ping answers even when it was not recorded; what was not recorded is 404', async () => {
    write('coins-list--a.json', '[]')
    const { app } = serve(folder)
    expect(await (await app.request('/v2/ping')).json()).toEqual({ status: 'OK' })
    for (const operation of ['exchange_rates', 'coins/{id}'] as const) {
      const missing = await app.request(pathOf(operation))
      expect([missing.status, await missing.json()]).toEqual([
        404,
        { error: `not found: this service has no data of ${operation}` },
      ])
    }
  })

  test.each([
    ['an empty folder', [], 'RECORDINGS_EMPTY', /no recording of a known operation/],
    ['a broken body', [['coins-list.json', '[{']], 'RECORDING_NOT_JSON', /coins-list\.json/],
    [
      'a broken index',
      [
        ['coins-list.json', '[]'],
        ['recordings.json', '[{"file":"coins-list.json","recordedAt":"noon"}]'],
      ],
      'RECORDING_NOT_JSON',
      /recordings\.json.*\n*.*recordedAt/s,
    ],
  ])('%s', (_, files, code, message) => {
    for (const [name, text] of files) write(name!, text!)
    expect(() => createRecordingsSource(folder)).toThrow(
      expect.objectContaining({ code, exitCode: 2, message: expect.stringMatching(message) }),
    )
  })

  test('a path that is not there', () => {
    expect(() => createRecordingsSource(join(folder, 'none'))).toThrow(
      expect.objectContaining({ code: 'RECORDINGS_NOT_FOUND', exitCode: 2 }),
    )
  })
})

test.each([
  ['points', { prices: [[1704067200000, 5e9]] }, Date.UTC(2024, 0, 1)],
  [
    'the newest of unsorted points',
    [[1704067200500], [1704067200000, 1], [1704153600000, 1]],
    Date.UTC(2024, 0, 2),
  ],
  [
    'ISO texts',
    [{ last_updated: '2024-01-01T00:00:00.000Z', ath_date: '2025-01-01T00:00:00Z' }],
    Date.UTC(2024, 0, 1),
  ],
  ['epoch seconds', { updated_at: 1704067200 }, Date.UTC(2024, 0, 1)],
  ['prices alone', { sparkline_in_7d: { price: [1.6e9, 1.7e9] } }, null],
  ['nothing', [{ id: 'x', value: 3 }], null],
])('newest time of %s', (_, body, expected) => {
  expect(newestTimeMs(body)).toBe(expected)
})
