import type { Argument, Command, Option } from 'commander'
import type { CliCommand, CommandGroup } from '../../cli/command.ts'
import { commands } from '../../cli/commands/index.ts'
import { createProgram } from '../../cli/program.ts'
import { silentEffects } from '../../test/parts/silent-effects.ts'
import { partOf, tableLines } from './markdown.ts'

const GROUPS: readonly CommandGroup[] = ['Start', 'Run', 'Look', 'Maintain', 'Serve']

/** The lines of a block of docs/cli.md. */
export function cliLines(what: string): readonly string[] {
  return partOf({ list, commands: sections }, what)
}

function list(): string[] {
  return tableLines(
    ['command', 'what it does'],
    GROUPS.flatMap(membersOf).map(({ name, summary }) => [`[${name}](#coinlake-${name})`, summary]),
  )
}

/** Every command with its arguments, options and examples, by group. */
function sections(): string[] {
  const program = createProgram(silentEffects(), () => undefined)
  const texts = GROUPS.flatMap((group) => [
    `## ${group}`,
    ...membersOf(group).flatMap(({ name, summary, examples }) => [
      `### coinlake ${name}`,
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
      ...usage(program.commands.find((command) => command.name() === name)!),
      `\`\`\`sh\n${exampleLines(examples).join('\n')}\n\`\`\``,
    ]),
  ])
  return texts.join('\n\n').split('\n')
}

function exampleLines(examples: CliCommand['examples']): string[] {
  return Object.entries(examples).flatMap(([line, does]) => [`# ${does}`, line])
}

function membersOf(group: CommandGroup): readonly CliCommand[] {
  return commands.filter((one) => one.group === group)
}

function usage(command: Command): string[] {
  const rows = [
    ...command.registeredArguments.map((one) => [`\`${argumentName(one)}\``, facts(one)]),
    ...command.options
      .filter(({ hidden, long }) => !hidden && long !== '--debug')
      .map((one) => [`\`${one.flags}\``, facts(one)]),
  ]
  const line = `\`coinlake ${command.name()} ${command.usage()}\``
  return rows.length === 0 ? [line] : [line, tableLines(['', 'meaning'], rows).join('\n')]
}

function argumentName(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function facts({ description, argChoices, defaultValue }: Argument | Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`
  const fallback = typeof defaultValue === 'string' ? ` (default: \`${defaultValue}\`)` : ''
  return `${description}${choices}${fallback}`
}
