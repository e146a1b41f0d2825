import { expect, test } from 'vitest'
import { type ConfigProblem, InvalidConfigError } from '../../../config/config-problem.ts'
import { FAULT_KINDS } from '../../../service/faults/fault-kinds.ts'
import { readFaults } from '../../../service/faults/read-faults.ts'

function problemsOf(text: string): readonly ConfigProblem[] {
  try {
    readFaults('f.yaml', text, 1)
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.problems
    throw error
  }
  return []
}

test('every kind is readable with its defaults', () => {
  const names = Object.keys(FAULT_KINDS)
  const orders = readFaults('f.yaml', names.map((name) => `- fault: ${name}`).join('\n'), 5)
  expect(orders.map(({ kind }) => kind.name)).toEqual(names)
  for (const order of orders) {
    expect(order).toMatchObject({ rate: 1, seed: 5, after: 0, permanent: false })
  }
})

test('YAML and JSON say the same', () => {
  const yaml = `
- fault: server_error
  status: 503
  rate: 0.25
  seed: 9
  operations: ['coins/{id}', coins/markets]
  entities: [bitcoin, null]
  times: 2
  after: 1
`
  const [order] = readFaults('f.yaml', yaml, 1)
  expect(order).toMatchObject({
    rate: 0.25,
    seed: 9,
    operations: ['coins/{id}', 'coins/markets'],
    entities: ['bitcoin', 'null'],
    times: 2,
    after: 1,
    options: { status: 503 },
  })
  const { fault, ...options } = order!.options as Record<string, unknown>
  const [again] = readFaults('f.json', JSON.stringify([{ fault, ...options }]), 1)
  expect(again).toEqual(order)
})

test.each([
  ['', '1:1', 'FAULTS_NO_LIST', /list with at least one/],
  ['[]', '1:1', 'FAULTS_NO_LIST', /list/],
  ['fault: html', '1:1', 'FAULTS_NO_LIST', /list/],
  ['- fault: html\n  rate: [', '2:10', 'CONFIG_SYNTAX', /YAML/],
  ['- html', '1:3', 'FAULTS_UNKNOWN_FAULT', /a map with the key `fault`, not "html"/],
  ['- rate: 0.5', '1:3', 'FAULTS_UNKNOWN_FAULT', /must be a map with the key `fault`/],
  ['- fault: htlm', '1:10', 'FAULTS_UNKNOWN_FAULT', /no fault: "htlm"/],
  ['- fault: 7', '1:10', 'FAULTS_UNKNOWN_FAULT', /no fault: 7/],
  ['- fault: html\n  rat: 1', '2:3', 'FAULTS_UNKNOWN_KEY', /html has no key `rat`/],
  ['- fault: html\n  wait_ms: 1', '2:3', 'FAULTS_UNKNOWN_KEY', /html has no key `wait_ms`/],
])('%j: %s %s', (text, at, code, what) => {
  const [problem] = problemsOf(text)
  expect(problem).toMatchObject({ where: `f.yaml:${at}`, code, what: expect.stringMatching(what) })
  expect(problem?.hint).toMatch(/\.$|\?$/)
})

test.each([
  ['html', 'rate: 1.5', /rate is 1.5: .* <=1$/],
  ['html', 'seed: -1', /seed is -1: .* >=0$/],
  ['html', 'entities: bitcoin', /entities is "bitcoin": .*expected array/],
  ['server_error', 'status: 404', /status is 404: expected 0, or from 500 to 599$/],
  ['limit_change', 'limit: many', /limit is "many": expected calls and a window/],
])('%s with %s: told at the value', (fault, line, what) => {
  const [problem] = problemsOf(`- fault: ${fault}\n  ${line}`)
  const where = `f.yaml:2:${line.indexOf(' ') + 4}`
  const code = 'FAULTS_BAD_VALUE'
  expect(problem).toMatchObject({ where, code, what: expect.stringMatching(what) })
})

test('a wrong word is answered with the right one, and all problems are told at once', () => {
  const problems = problemsOf('- fault: htlm\n- { fault: html, permanant: true, rate: 2 }')
  expect(problems.map(({ hint }) => hint)).toEqual([
    'Did you mean `html`?',
    expect.stringContaining('docs/faults.md'),
    'Did you mean `permanent`?',
  ])
})
