import type { Argument, Command, Option } from 'commander'
import { EXIT } from '../../config/coinlake-error.ts'
import { systemClock } from '../../config/clock.ts'
import type { CommandGroup } from '../../cli/command.ts'
import { commands } from '../../cli/commands/index.ts'
import { createProgram } from '../../cli/program.ts'
import type { GeneratedPage } from '../generated-page.ts'
import { table } from './markdown.ts'

const GROUPS: readonly CommandGroup[] = ['Start', 'Run', 'Look', 'Maintain', 'Serve']

const INTRODUCTION = `# Command line

Made by \`npm run docs\` from the commands themselves; \`coinlake <command> --help\` says the same.

Data goes to standard output, everything else to standard error. \`--json\` prints one JSON document. A
value is taken from a flag, else from the environment, else from \`coinlake.yaml\`, else it is the default;
\`coinlake config show\` says which. Ctrl-C finishes the current write and ends; a second one quits at
once. The same command again goes on where the last one ended. Every command also takes \`--debug\`
(stacks and causes of errors) and \`--help\`.

Names, messages and values of a source may hold anything. What a terminal or a browser would obey (control
characters, bidi marks, zero widths, line separators, half surrogates) is shown as JSON writes it
(\`\\u001b\`, \`\\u202e\`, \`\\n\`) in lines, logs and the HTML report; in \`--json\` it is escaped too, which
is the same value. A text that holds those characters of an escape looks the same in lines: \`--json\` tells.`

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  complete: 'complete',
  unexpected: 'unexpected: a fault of coinlake itself; of `verify`: something differs',
  config: 'usage, configuration or SQL',
  gaps: 'finished, with gaps: the report names them; what was had is in',
  source: 'the source refused: the key, or its plan',
  sink: 'the warehouse or the output cannot be written',
  busy: 'the warehouse is busy: another process holds it, or another run is open; the same command works later',
  nothing: 'nothing came at all: no slice of the run brought anything',
  interrupted: 'interrupted',
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['COINLAKE_API_KEY', 'the key of the source'],
  ['COINLAKE_BASE_URL', 'goes before `source.base_url`'],
  ['COINLAKE_PROFILE', 'goes before `source.profile`'],
  ['COINLAKE_WAREHOUSE', 'goes before `warehouse`'],
  ['COINLAKE_SERVE_KEY', 'keys that `coinlake serve` accepts, one a line'],
  ['COINLAKE_NOW', 'an ISO time: the clock stands there'],
  ['COINLAKE_TEMPORAL_BINARY', 'the Temporal CLI to use for a server of its own'],
  ['TEMPORAL_*', 'a cluster to use instead of a server of its own'],
  ['NO_COLOR', 'no colours'],
]

const NUMBER_FORMS = `### Forms of a result

\`coinlake query\` writes what SQL gives as one of these:

| format | what it is |
|---|---|
| table | for people: the first 40 rows (\`--all\`: every row), cells cut to 60 characters; on a terminal that is too narrow, a block of lines for each row |
| json | an array of objects, one a line. BIGINT, HUGEINT and DECIMAL are numbers where a double holds them exactly, else strings; TIMESTAMPTZ is an ISO string; NaN and infinities are strings; a MAP is an array of {key, value} |
| csv | with a header, quoted as in RFC 4180, lines end in LF; NULL is nothing, an empty text is \`""\`; lists and structs are JSON. Cells are exact, also those that a spreadsheet would run as a formula (text that begins with \`= + - @\`, a tab or a line end and is no number): they are counted on standard error, and \`--safe-csv\` writes \`'\` before them |
| parquet | zstd, written by DuckDB; of a SELECT, after what else the SQL sets; HUGEINT (\`sum()\` of whole numbers) as DECIMAL(38,0) |

Without \`--format\` the name given to \`-o\` decides (.csv, .json, .parquet), else it is a table on a
terminal and CSV in a pipe. The session runs in UTC unless \`--tz\` says otherwise. A file appears under
its name only when it is complete. In a file or a pipe, CSV and JSON are exact; on a terminal control
characters and bidi marks in them are escaped as everywhere.

A query only reads, and only what is published: \`--allow-dir DIR\` adds CSV and Parquet files of your own.
\`SET TimeZone\`, \`SET VARIABLE\` and temporary tables work, \`ATTACH\` and \`COPY\` do not.`

/** docs/cli.md: every command with its arguments, options and examples, exit codes, environment. */
export const cliPage: GeneratedPage = {
  file: 'docs/cli.md',
  generate() {
    const program = createProgram(silentEffects, () => undefined)
    const groups = GROUPS.flatMap((group) => {
      const members = commands.filter((one) => one.group === group)
      return members.length === 0 ? [] : [{ group, members }]
    })
    return `${[
      INTRODUCTION,
      table(
        ['command', 'what it does'],
        groups.flatMap(({ members }) =>
          members.map(({ name, summary }) => [`[${name}](#coinlake-${name})`, summary]),
        ),
      ),
      ...groups.flatMap(({ group, members }) => [
        `## ${group}`,
        ...members.flatMap(({ name, summary, examples }) => [
          `### coinlake ${name}`,
          `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
          ...usage(program.commands.find((command) => command.name() === name)),
          `\`\`\`sh\n${examples.map((one) => `# ${one.does}\n${one.command}`).join('\n')}\n\`\`\``,
          ...(name === 'query' ? [NUMBER_FORMS] : []),
        ]),
      ]),
      '## Exit codes',
      table(
        ['code', 'meaning'],
        Object.entries(EXIT).map(([name, code]) => [
          String(code),
          EXIT_MEANINGS[name as keyof typeof EXIT],
        ]),
      ),
      '## Environment',
      table(
        ['variable', 'meaning'],
        ENVIRONMENT.map(([name, meaning]) => [`\`${name}\``, meaning]),
      ),
    ].join('\n\n')}\n`
  },
}

function usage(command: Command | undefined): string[] {
  if (command === undefined) return []
  const rows = [
    ...command.registeredArguments.map((one) => [`\`${argumentName(one)}\``, facts(one)]),
    ...command.options
      .filter(({ hidden, long }) => !hidden && long !== '--debug')
      .map((one) => [`\`${one.flags}\``, facts(one)]),
  ]
  const line = `\`coinlake ${command.name()} ${command.usage()}\``
  return rows.length === 0 ? [line] : [line, table(['', 'meaning'], rows)]
}

function argumentName(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function facts({ description, argChoices, defaultValue }: Argument | Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`
  const fallback = typeof defaultValue === 'string' ? ` (default: \`${defaultValue}\`)` : ''
  return `${description}${choices}${fallback}`
}

/** Placeholders, because making a page runs no command. */
const silentEffects = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: {},
  cwd: '.',
  clock: systemClock,
  isLive: false,
  isTable: false,
}
