import type { Command } from 'commander'
import type { ExitCode } from '../config/coinlake-error.ts'
import type { Effects, Options } from './effects.ts'

/** Groups of `coinlake --help`, in the order a person meets them. */
export type CommandGroup = 'Start' | 'Run' | 'Look' | 'Maintain' | 'Serve'

/** One verb of the command line: a file in cli/commands/ and a line in its index.ts. */
export interface CliCommand {
  name: string
  group: CommandGroup
  summary: string
  /** Command lines and their effects: at least two, shown by --help and in docs/cli.md. */
  examples: Readonly<Record<string, string>>
  configure(command: Command): void
  /**
   * Runs the command. `args` are the positional arguments, `program` is the whole command line. Heavy modules are
   * imported in here, so that `--help` stays quick.
   *
   * @returns the exit code; nothing = complete
   */
  run(
    effects: Effects,
    args: string[],
    options: Options,
    program: Command,
  ): Promise<ExitCode | void>
}
