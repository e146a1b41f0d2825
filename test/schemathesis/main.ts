// npm run test:schemathesis: the service against its own OpenAPI document, by schemathesis (PyPI).
// Exit code 0 = no finding and at least CASES cases of every operation; apart from npm test, as it needs
// Python and two minutes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OperationId, operations } from '../../api/operations.ts'
import { openApiDocument } from '../../service/openapi/openapi.ts'
import { profiles } from '../../config/profiles.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createService } from '../../service/app.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { tinySpec } from '../service/tiny-market.ts'
import { pythonWith } from '../../bench/python-venv.ts'

/** The version whose findings are known; a newer one may find more. */
const PACKAGE = 'schemathesis==4.32.5'
/** Cases that every operation meets at least. */
const CASES = 50
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
]
const KEY = 'schemathesis-key'

process.exitCode = await main()

async function main(): Promise<number> {
  const seed = process.argv[2] ?? '1'
  const say = (line: string): void => console.log(line)
  const made = pythonWith([PACKAGE])
  if (typeof made === 'string') {
    console.error(made)
    return 2
  }
  const { python } = made
  const source = createSimulatedSource(tinySpec())
  const cases = new Map<OperationId, number>()
  const faults: RequestEntry[] = []
  const service = createService({
    source,
    operations: Object.values(operations),
    keys: createKeyRing([KEY]),
    quota: null,
    document: openApiDocument(profiles.interface, '0'),
    log: (entry) => {
      if (entry.operation !== null) {
        cases.set(entry.operation, (cases.get(entry.operation) ?? 0) + 1)
      }
      if (entry.fault !== undefined) faults.push(entry)
    },
  })
  const server = await startService(service, { port: 0 })
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-schemathesis-'))
  try {
    const common = ['run', `${server.url}/openapi.json`, '-H', `Authorization: Bearer ${KEY}`]
    const checks = ['--checks', CHECKS.join(','), '--seed', seed, '--no-color']
    say(`made-up values, seed ${seed}:`)
    const any = await run(
      python,
      dir,
      [...common, ...checks, '-n', String(CASES)],
      ['--phases', 'examples,coverage,fuzzing', '--continue-on-failure'],
    )
    say('ids of this market, everything else made up:')
    const config = join(dir, 'known-ids.toml')
    writeFileSync(config, await knownIds(source))
    const known = await run(
      python,
      dir,
      ['--config-file', config, ...common, ...checks, '-n', String(CASES)],
      ['--phases', 'fuzzing', '--mode', 'positive', '--include-path-regex', '{'],
    )
    return report(cases, faults, any === 0 && known === 0)
  } finally {
    await server.close()
    await source.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function run(
  python: string,
  cwd: string,
  args: readonly string[],
  more: readonly string[],
): Promise<number> {
  const words = ['-m', 'schemathesis.cli', ...args, ...more]
  const child = spawn(python, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Ids that this market knows, so that made-up parameters also meet answers. */
async function knownIds(source: AnswerSource): Promise<string> {
  const listed = await source.answer('coins/list', { include_platform: 'true', status: 'active' })
  const coins = (listed.kind === 'json' ? listed.body : []) as { platforms?: object }[]
  const [platform, address] =
    coins.flatMap(({ platforms }) => Object.entries(platforms ?? {}))[0] ?? []
  const idOf = (id: string): Record<string, string> => {
    if (id.includes('contract')) {
      return { 'path.id': String(platform), 'path.contract_address': String(address) }
    }
    if (id.startsWith('derivatives')) return { 'path.id': 'binance_futures' }
    return { 'path.id': id.startsWith('exchanges') ? 'binance' : 'bitcoin' }
  }
  return Object.keys(operations)
    .filter((id) => id.includes('{'))
    .map((id) => {
      const values = Object.entries(
        id.includes('token_price') ? { 'path.id': String(platform) } : idOf(id),
      )
      const lines = values.map(([name, value]) => `"${name}" = ${JSON.stringify(value)}`)
      return `[[operations]]\ninclude-operation-id = ${JSON.stringify(id)}\nparameters = { ${lines.join(', ')} }\n`
    })
    .join('\n')
}

function report(
  cases: ReadonlyMap<OperationId, number>,
  faults: readonly RequestEntry[],
  isClean: boolean,
): number {
  const few = Object.keys(operations).filter((id) => (cases.get(id as OperationId) ?? 0) < CASES)
  const total = [...cases.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `${cases.size} operations, ${total} cases, at least ${Math.min(...cases.values())} each`,
  )
  if (few.length > 0) console.error(`fewer than ${CASES} cases: ${few.join(', ')}`)
  for (const { path, query, fault } of faults) console.error(`${path}?${query}: ${String(fault)}`)
  return isClean && few.length === 0 && faults.length === 0 ? 0 : 1
}
