import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { commands } from '../../cli/commands/index.ts'
import { processEffects } from '../../cli/effects.ts'
import { createProgram } from '../../cli/program.ts'
import { importsOf } from '../imports-of.ts'
import { expectBareRefusal } from './refusal.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tinyWarehouse } from '../parts/tiny-warehouse.ts'
import { tempDir } from '../parts/temp-dir.ts'

const warehouse = await tinyWarehouse('duckdb', afterAll)
const program = createProgram(processEffects(), () => undefined)
const root = fileURLToPath(new URL('../..', import.meta.url))

describe.each(commands.map((command) => [command.name, command] as const))('%s', (name, verb) => {
  const command = program.commands.find((one) => one.name() === name)!

  test('has two examples, whose options exist', () => {
    const examples = Object.entries(verb.examples)
    expect(examples.length).toBeGreaterThanOrEqual(2)
    const known = new Set(command.options.flatMap(({ long, short }) => [long, short]))
    for (const [line, does] of examples) {
      expect(line).toContain(`coinlake ${name}`)
      expect(does).not.toBe('')
      const own = (line.split(`coinlake ${name}`)[1] ?? '').split(' | ')[0] ?? ''
      const unquoted = own.replaceAll(/"[^"]*"/g, '')
      for (const [flag] of unquoted.matchAll(/(?<=\s)--?[a-z][\w-]*/g))
        expect(known).toContain(flag)
    }
  })

  test('has a description for itself and for every option and argument', () => {
    expect(verb.summary).not.toBe('')
    for (const { flags, description, hidden } of command.options) {
      expect(`${flags}: ${description}`).toMatch(/: \S/)
      expect(hidden && description === '').toBe(false)
    }
    for (const one of command.registeredArguments) expect(one.description).not.toBe('')
  })

  test('--help shows its options and examples', async () => {
    const { exitCode, stdout, stderr } = await runCaptured([name, '--help'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    for (const line of Object.keys(verb.examples)) expect(stdout).toContain(line)
  })
})

test('an option with a csv that is given again adds to it', () => {
  const options = program.commands.flatMap((command) => command.options)
  const csvs = options.filter(({ description }) => description.includes('(csv)'))
  expect(csvs.length).toBeGreaterThan(20)
  for (const { flags, parseArg } of csvs) expect(parseArg?.('eur', 'usd'), flags).toBe('usd,eur')
})

test.each([[[]], [['--help']]])('coinlake %j lists every command in its group', async (argv) => {
  const { exitCode, stdout } = await runCaptured(argv)
  expect(exitCode).toBe(0)
  for (const { name, group } of commands) {
    expect(stdout).toMatch(new RegExp(`${group}:[^]*\\n  ${name} `))
  }
})

test.each([
  [['qurey'], `unknown command 'qurey'`, 'Did you mean query? `coinlake --help`'],
  [
    ['datasets', '--jsn'],
    `unknown option '--jsn'`,
    'Did you mean --json? `coinlake datasets --help`',
  ],
  [['config'], `missing required argument 'action'`, '`coinlake config --help`'],
  [['config', 'chek'], `'chek' is invalid`, '`coinlake config --help`'],
  [['plan', '--from'], `argument missing`, '`coinlake plan --help`'],
  [['status', 'now'], 'too many arguments', '`coinlake status --help`'],
])('%j is a mistake in usage: exit 2', async (argv, says, hint) => {
  expectBareRefusal(await runCaptured(argv), { exit: 2, code: 'USAGE', says, hint })
})

test('help for a command that is none names it', async () => {
  const { exitCode, stderr } = await runCaptured(['help', 'qurey'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`error[USAGE]: unknown command 'qurey'\n`)
})

test.each([['--help'], ['datasets', '--json'], ['init', '-o', '-']])(
  '%s %s to a reader that has gone: quiet',
  async (...argv) => {
    const bin = join(root, 'bin/coinlake.js')
    const child = spawn(process.execPath, [bin, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    const [code] = (await once(child, 'exit')) as [number | null]
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  },
)

test.each([['datasets'], ['datasets', '--json'], ['--help'], ['query', 'select 1'], ['gaps']])(
  '%s %s into a disk that is full: one message, exit 5',
  async (...argv) => {
    if (!existsSync('/dev/full')) {
      console.log('skipped: this system has no /dev/full')
      return
    }
    const full = openSync('/dev/full', 'w')
    const config = join(tempDir(), 'coinlake.yaml')
    writeFileSync(config, 'source: { base_url: "http://127.0.0.1:9" }\ndatasets: { coins: {} }\n')
    const more = { query: ['-w', warehouse.root], gaps: ['-c', config] }[argv[0] ?? ''] ?? []
    const words = [...argv, ...more]
    const bin = join(root, 'bin/coinlake.js')
    const child = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', full, 'pipe'] })
    let stderr = ''
    child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()))
    const [exitCode] = (await once(child, 'close')) as [number | null]
    closeSync(full)
    expectBareRefusal(
      { exitCode, stdout: '', stderr },
      { exit: 5, code: 'OUTPUT_NOT_WRITABLE', says: 'standard output (ENOSPC)', hint: 'Free some' },
    )
  },
)

test('what --help loads is small: commander and nothing else of node_modules', () => {
  const packages = new Set<string>()
  const seen = new Set(['cli/main.ts'])
  for (const file of seen) {
    for (const { target, isTypeOnly, isLazy } of importsOf(file)) {
      if (isTypeOnly || isLazy || target.startsWith('node:')) continue
      if (target.startsWith('.')) seen.add(join(dirname(file), target))
      else packages.add(target)
    }
  }
  expect(seen.size).toBeGreaterThan(commands.length)
  expect([...packages]).toEqual(['commander'])
})
