import { Command, CommanderError } from 'commander'
import { EXIT, type ExitCode } from '../config/coinlake-error.ts'
import { ConfigError } from '../config/config-error.ts'
import type { CliCommand } from './command.ts'
import { commands } from './commands/index.ts'
import { print, say, type Effects } from './effects.ts'
import { printError } from './print-error.ts'
import { coinlakeVersion } from './version.ts'

/** The whole command line for commander; `onExit` gets the exit code of the verb. */
export function createProgram(effects: Effects, onExit: (code: ExitCode) => void): Command {
  const program = new Command('coinlake')
    .description('Crypto market history in your own warehouse: complete, exact, resumable.')
    .version(coinlakeVersion, '-V, --version', 'print the version')
    .option('--debug', 'show stacks and causes of errors')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .description('show the options and examples of a command')
        .helpGroup('Look:'),
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(effects, linesOf(text)),
      writeErr: (text) => linesOf(text).forEach((line) => say(effects, line)),
      // runCli prints the error, in the form of every other error.
      outputError: () => undefined,
    })
  for (const command of commands) program.addCommand(toCommander(command, effects, onExit, program))
  return program
}

/** Runs one command line and returns the exit code. @param argv the words after `coinlake` */
export async function runCli(effects: Effects, argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.complete
  const program = createProgram(effects, (code) => {
    exitCode = code
  })
  try {
    const words = argv.length === 0 ? ['--help'] : argv.map(withoutCommentAsOption)
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.complete
      return printError(effects, usageError(error, argv), argv)
    }
    return printError(effects, error, argv)
  }
}

/** The lines of a text that ends with a line feed. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** A word with a blank before it, if it is SQL that begins with a comment. Options have no blanks in their names. */
function withoutCommentAsOption(word: string): string {
  return /^--[^=\s]*\s/.test(word) ? ` ${word}` : word
}

/** A mistake in the words of the command line; commander's suggestion becomes the hint. */
function usageError(error: CommanderError, [verb, name]: readonly string[]): ConfigError {
  // For `coinlake help qurey` commander's message is the whole help.
  const message = error.code === 'commander.help' ? `unknown command '${name}'` : error.message
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  const known = commands.some(({ name }) => name === verb) ? ` ${verb}` : ''
  const help = `\`coinlake${known} --help\` shows the options.`
  return new ConfigError(what, {
    code: 'USAGE',
    hint: suggestion === '' ? help : `${suggestion.replace(/^\((.*)\)$/, '$1')} ${help}`,
  })
}

function toCommander(
  cli: CliCommand,
  effects: Effects,
  onExit: (code: ExitCode) => void,
  program: Command,
): Command {
  const command = new Command(cli.name)
    .description(cli.summary)
    .helpGroup(`${cli.group}:`)
    .copyInheritedSettings(program)
    .option('--debug', 'show stacks and causes of errors')
  cli.configure(command)
  const examples = Object.entries(cli.examples).map(([line, does]) => `  ${line}\n      ${does}`)
  command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
  command.action(async (...received: unknown[]) => {
    const self = received.at(-1) as Command
    onExit((await cli.run(effects, self.args, self.optsWithGlobals(), program)) ?? EXIT.complete)
  })
  return command
}
