import { readFileSync } from 'node:fs'
import { anything, assert, constantFrom, jsonValue, nat, oneof, property, record } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Slice } from '../../../datasets/dataset.ts'
import { datasets } from '../../../datasets/index.ts'
import { jsonText } from '../../../datasets/record/json-text.ts'
import { placedBody } from '../../proof/asked-names.ts'
import { recordedBodies } from '../../proof/recorded-body.ts'
import { writeVariations } from '../../proof/variations.ts'
import { withoutLeftOut } from '../../proof/without-left-out.ts'
import { pageOf, stepsOf } from '../context.ts'
import { answerAgain, placedPages } from './placed-pages.ts'
import { Warehouse } from '../warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const dir = tempDir(afterAll)
writeVariations(dir)
/** With a row at least. Series are bent in the tests of charts, quotes are told apart by what was asked for. */
const bodies = recordedBodies(dir)
  .filter(({ name, points }) => points === null && /-(whole|bare|odd)--/.test(name))
  .filter(({ operation }) => !/^simple\/.*price/.test(operation))
  .map((body) => ({ body: placedBody(body, 0), text: readFileSync(body.path, 'utf8') }))

const keys = constantFrom('usd', 'id', 'name', '0', '', '__proto__', 'constructor', 'a.b', '\u0000')
/** Texts that readers get wrong: other types in disguise, half characters, non-BMP, controls. */
const WORDS = 'null true 000 2025 =1+1 [old] 🦀 " __proto__ 1.5 $1 2024-04-08 2024-04-08T04:02:01Z'
const awkward = constantFrom(
  ...WORDS.split(' '),
  '',
  ' ',
  '༼ つ ◕_◕ ༽つ',
  '\u0000',
  '\uD800',
  '\r\n',
  '\uFEFFx',
  '0.002 BTC',
  '9999-12-31T00:00:00.000Z',
)
const values = oneof(
  jsonValue(),
  awkward,
  constantFrom(undefined, null, true, -0, 0, 0.5, 2 ** 53, 1e21, 1e-11, Infinity),
  constantFrom({}, [], [null], { usd: null }, { times: null, currency: null, percentage: null }),
)
const change = record({ place: nat(60), member: nat(12), key: keys, value: values })

/** A copy of a body with one member set or left out, or an item of a list replaced. */
function bend(text: string, { place, member, key, value }: Change): unknown {
  const copy: unknown = JSON.parse(text)
  const places = placesIn(copy)
  const chosen = places[place % places.length]
  if (chosen === undefined) return value ?? null
  const own = Object.keys(chosen)
  const name = member < own.length ? own[member]! : key
  if (Array.isArray(chosen)) chosen[member % chosen.length] = value ?? null
  else if (value === undefined) Reflect.deleteProperty(chosen, name)
  else Object.defineProperty(chosen, name, { value, enumerable: true, configurable: true })
  return JSON.parse(jsonText(copy))
}

/** The same ones each time. */
const RUNS = { numRuns: 150, seed: 20 }

interface Change {
  place: number
  member: number
  key: string
  value: unknown
}

/** Every object in a body, and every list that holds something. */
function placesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(placesIn)
  return Array.isArray(value) && value.length === 0 ? inside : [value, ...inside]
}

/** The texts that can stand in quarantine: each part of a body, and the body of an exchange without its pairs. */
function partsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [jsonText(value)]
  const { tickers: _pairs, ...own } = value as { tickers?: unknown }
  const inside = Object.values(value).flatMap(partsOf)
  return [value, own, { ...value, tickers: [] }].map(jsonText).concat(inside)
}

const byOperation = [...Map.groupBy(bodies, ({ body }) => body.operation)]

describe.each(byOperation)('%s', (_, all) => {
  test('what is not rejected comes back exactly, and what is stands whole in quarantine, wherever a body is bent', () => {
    let kept = 0
    assert(
      property(constantFrom(...all), change, ({ body, text }, one) => {
        const json = bend(text, one)
        const warehouse = new Warehouse()
        let isWhole = true
        for (const { dataset, context } of placedPages(body)) {
          try {
            const page = warehouse.loadPage(dataset, json, context)
            for (const { rule, path, raw } of page.rejected) {
              expect(rule).toMatch(/^[a-z_]+$/)
              expect(path).toMatch(/^\$/)
              expect(partsOf(json)).toContain(raw)
            }
            const { duplicate, outsideSlice, future } = page.counts
            isWhole &&= page.rejected.length + duplicate + outsideSlice + future === 0
          } catch (error) {
            if ((error as { code?: string }).code !== 'SOURCE_DATA') throw error
            isWhole = false
          }
        }
        if (!isWhole) return
        kept++
        const wanted = withoutLeftOut(body, json)
        expect(withoutLeftOut(body, answerAgain(warehouse, body, json))).toEqual(wanted)
      }),
      RUNS,
    )
    expect(kept).toBeGreaterThan(20)
  })
})

describe.each(datasets)('$name', (dataset) => {
  const granularity = dataset.granularities[0] ?? ''
  const slice: Partial<Slice> = { entity: 'x/y', vsCurrency: 'usd', granularity }
  const steps = stepsOf(dataset, slice)

  test.each(steps.map((_, stepIndex) => stepIndex))(
    'step %i: what is no answer is refused whole, by the path of what is missing',
    (stepIndex) => {
      const context = pageOf(dataset, slice, { stepIndex })
      // Of quotes each key is an id.
      const told = dataset.name.endsWith('quotes')
        ? []
        : [{ error: 'x' }, { error: { code: 1 } }, { data: {} }, { data: null }]
      for (const body of [null, 5, '', '<html></html>', ...told]) {
        expect(() => dataset.toTables(body, context)).toThrow(
          expect.objectContaining({
            code: 'SOURCE_DATA',
            message: expect.stringMatching(/^\$\S* (is no|has none|is missing)/) as string,
          }),
        )
      }
    },
  )

  test('a body of another shape is refused or read, never a fault of our own', () => {
    const context = pageOf(dataset, slice)
    assert(
      property(anything(), (body) => {
        try {
          dataset.toTables(body, context)
        } catch (error) {
          expect((error as { code?: string }).code).toBe('SOURCE_DATA')
        }
      }),
      RUNS,
    )
  })
})
