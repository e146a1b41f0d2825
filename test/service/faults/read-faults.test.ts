import { expect, test } from 'vitest'
import { InvalidConfigError } from '../../../config/config-problem.ts'
import type { ConfigProblem } from '../../../config/config-problem.ts'
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
    expect(order).toMatchObject({ rate: 1, seed: 5, after: 0, permanent: false, entities: null })
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
  ['', 'f.yaml:1:1', 'FAULTS_NO_LIST', /list with at least one/],
  ['[]', 'f.yaml:1:1', 'FAULTS_NO_LIST', /list/],
  ['fault: html', 'f.yaml:1:1', 'FAULTS_NO_LIST', /list/],
  ['- fault: html\n  rate: [', 'f.yaml:2:10', 'CONFIG_SYNTAX', /YAML/],
  [
    '- html',
    'f.yaml:1:3',
    'FAULTS_UNKNOWN_FAULT',
    /must be a map with the key `fault`, not "html"/,
  ],
  ['- rate: 0.5', 'f.yaml:1:3', 'FAULTS_UNKNOWN_FAULT', /must be a map with the key `fault`/],
  ['- fault: htlm', 'f.yaml:1:10', 'FAULTS_UNKNOWN_FAULT', /no fault: "htlm"/],
  ['- fault: 7', 'f.yaml:1:10', 'FAULTS_UNKNOWN_FAULT', /no fault: 7/],
  [
    '- fault: html\n  rate: 1.5',
    'f.yaml:2:9',
    'FAULTS_BAD_VALUE',
    /rate must be a number from 0 to 1, not 1.5/,
  ],
  ['- fault: html\n  rate: often', 'f.yaml:2:9', 'FAULTS_BAD_VALUE', /not "often"/],
  ['- fault: html\n  rat: 1', 'f.yaml:2:3', 'FAULTS_UNKNOWN_KEY', /html has no key `rat`/],
  ['- fault: html\n  wait_ms: 1', 'f.yaml:2:3', 'FAULTS_UNKNOWN_KEY', /html has no key `wait_ms`/],
  ['- fault: html\n  seed: -1', 'f.yaml:2:9', 'FAULTS_BAD_VALUE', /seed must be a whole number/],
  [
    '- fault: html\n  times: 0',
    'f.yaml:2:10',
    'FAULTS_BAD_VALUE',
    /times must be a whole number from 1/,
  ],
  ['- fault: html\n  after: 0.5', 'f.yaml:2:10', 'FAULTS_BAD_VALUE', /after must be a whole/],
  [
    '- fault: html\n  permanent: yes',
    'f.yaml:2:14',
    'FAULTS_BAD_VALUE',
    /permanent must be true or false/,
  ],
  [
    '- fault: html\n  permanent: true\n  times: 2',
    'f.yaml:3:3',
    'FAULTS_BAD_VALUE',
    /permanent and have `times`/,
  ],
  [
    '- fault: html\n  entities: bitcoin',
    'f.yaml:2:13',
    'FAULTS_BAD_VALUE',
    /must be a list of ids/,
  ],
  ['- fault: html\n  entities: []', 'f.yaml:2:13', 'FAULTS_BAD_VALUE', /at least one id/],
  [
    '- fault: html\n  operations: [coins/market]',
    'f.yaml:2:15',
    'FAULTS_BAD_VALUE',
    /did you mean coins\/markets\?/,
  ],
  [
    '- fault: rate_status\n  told: softly',
    'f.yaml:2:9',
    'FAULTS_BAD_VALUE',
    /told must be one of retry_after, reset, nothing/,
  ],
  [
    '- fault: server_error\n  status: 404',
    'f.yaml:2:11',
    'FAULTS_BAD_VALUE',
    /status must be 0, or from 500 to 599/,
  ],
  [
    '- fault: nulls\n  share: 0',
    'f.yaml:2:10',
    'FAULTS_BAD_VALUE',
    /share must be a number above 0/,
  ],
  [
    '- fault: limit_change\n  limit: many',
    'f.yaml:2:10',
    'FAULTS_BAD_VALUE',
    /limit must be calls and a window/,
  ],
  [
    '- fault: clock_skew\n  skew_ms: 1e12',
    'f.yaml:2:12',
    'FAULTS_BAD_VALUE',
    /skew_ms must be a whole number from/,
  ],
])('%j: %s %s', (text, where, code, what) => {
  const problems = problemsOf(text)
  expect(problems[0]).toMatchObject({ where, code, what: expect.stringMatching(what) as unknown })
  expect(problems[0]?.hint).toMatch(/\.$|\?$/)
})

test('a wrong word is answered with the right one, and all problems are told at once', () => {
  const problems = problemsOf('- fault: htlm\n- { fault: html, permanant: true, rate: 2 }')
  expect(problems.map(({ hint }) => hint)).toEqual([
    'Did you mean `html`?',
    expect.stringContaining('docs/faults.md'),
    'Did you mean `permanent`?',
  ])
})
