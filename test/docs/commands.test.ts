import { describe, expect, test } from 'vitest'
import type { Command } from 'commander'
import { createProgram } from '../../cli/program.ts'
import { silentEffects } from '../parts/silent-effects.ts'
import manifest from '../../package.json' with { type: 'json' }
import { commandsIn, type ShownCommand } from './commands-in.ts'
import { pages } from './page-text.ts'

const scripts: Record<string, string> = manifest.scripts
/** npm's own commands that pages use; a script of such a name is checked as a script. */
const NPM_COMMANDS = new Set(['audit', 'ci', 'install', 'pack'])

/** Not the changelog: it tells of commands that have gone, too. */
const shown = pages()
  .filter(({ file }) => file !== 'CHANGELOG.md')
  .map((page) => [page.file, commandsIn(page)] as const)

describe.each(shown)('%s', (_, commands) => {
  test('shows only commands, options and scripts that there are', () => {
    const wrong = commands.flatMap((command) => {
      const fault = command.program === 'npm' ? npmFault(command) : coinlakeFault(command)
      return fault === null ? [] : [`${command.where}: ${command.words.join(' ')}: ${fault}`]
    })
    expect(wrong).toEqual([])
  })
})

test('the README shows every step of the way', () => {
  const inReadme = shown.find(([file]) => file === 'README.md')?.[1] ?? []
  const first = (program: string) =>
    inReadme.filter((one) => one.program === program).map(({ words }) => words[0])
  const run = ['get', 'init', 'doctor', 'plan', 'backfill', 'query', 'schedule', 'worker', 'serve']
  const look = ['status', 'gaps', 'verify', 'report', 'tables', 'runs', 'datasets']
  expect(first('coinlake')).toEqual(expect.arrayContaining([...run, ...look]))
  expect(first('npm')).toEqual(expect.arrayContaining(['run', 'test', 'pack', 'install']))
})

function npmFault({ words: [verb = '', name = ''] }: ShownCommand): string | null {
  if (verb === 'run') return name in scripts ? null : `no script ${name}`
  return verb in scripts || NPM_COMMANDS.has(verb) ? null : `no script ${verb}`
}

function coinlakeFault({ words }: ShownCommand): string | null {
  const program = createProgram(silentEffects(), () => undefined)
  const [verb = '', ...rest] = words
  if (verb.startsWith('-')) return parseFault(program, words)
  const command = program.commands.find((one) => one.name() === verb)
  return command === undefined ? `no command ${verb}` : parseFault(command, rest)
}

/** Commander's verdict on the options, and whether the arguments fit. */
function parseFault(command: Command, words: readonly string[]): string | null {
  try {
    const { operands, unknown } = command.parseOptions([...words])
    const strange = unknown.filter((word) => !['-h', '--help', '-V', '--version'].includes(word))
    if (strange.length > 0) return `no option ${strange.join(' ')}`
    const takesMore = command.registeredArguments.at(-1)?.variadic === true
    if (!takesMore && operands.length > command.registeredArguments.length) {
      return `no argument ${operands.slice(command.registeredArguments.length).join(' ')}`
    }
    const unfit = command.registeredArguments.find(
      ({ argChoices }, index) =>
        argChoices !== undefined &&
        operands[index] !== undefined &&
        !argChoices.includes(operands[index]),
    )
    return unfit === undefined ? null : `no such ${unfit.name()}`
  } catch (error) {
    return String(error)
  }
}
