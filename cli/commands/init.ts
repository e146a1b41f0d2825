import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { ConfigError } from '../../config/config-error.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import type { Effects } from '../effects.ts'
import { say } from '../effects.ts'
import type { RawAnswers } from '../init/check-answers.ts'

/** Writes a commented coinlake.yaml: asks on a terminal, takes flags otherwise. */
export const init: CliCommand = {
  name: 'init',
  group: 'Start',
  summary: 'write a commented coinlake.yaml; asks on a terminal',
  examples: [
    { command: 'coinlake init', does: 'asks what to export, then writes ./coinlake.yaml' },
    {
      command: 'coinlake init --coins top:100 --vs usd,eur --granularity daily --from 2020-01-01',
      does: 'asks only for the rest; in a script it takes the defaults',
    },
    { command: 'coinlake init -o - --profile coingecko-demo', does: 'prints the file' },
  ],
  configure(command) {
    command
      .option('--profile <name>', 'interface, coingecko-demo or coingecko-pro')
      .option('--base-url <url>', 'where the service is; https, or http on this machine')
      .option('--dataset <names>', 'what to export (csv); `coinlake datasets` lists them')
      .addOption(new Option('--datasets <names>', 'the same').hideHelp())
      .option('--coins <choice>', 'coin ids (csv), or top:100 (by market cap), category:ID, all')
      .option('--exchanges <ids>', 'exchange ids (csv)')
      .option('--vs <currencies>', 'currencies (csv): usd,eur')
      .option('--granularity <step>', 'hourly, daily, 5m, 10m, 30m, 1h, 4h, 1d or 4d')
      .option('--from <time>', 'start of histories, UTC (default: a year back)')
      .option('-o, --output <file>', 'the file to write; `-` prints it', 'coinlake.yaml')
      .option('--force', 'replace a file that is there')
  },
  async run(effects, _args, options) {
    const { datasets } = await import('../../datasets/index.ts')
    const { checkAnswers } = await import('../init/check-answers.ts')
    const { initTemplate } = await import('../../config/init-template.ts')
    const { Cancelled } = await import('../init/cancelled.ts')
    const given = flagsOf(options)
    const nowMs = effects.clock.nowMs()
    const target = String(options['output'])
    const isForced = options['force'] === true
    // Before the questions: nobody likes to answer for nothing.
    checkAnswers(given, datasets, nowMs)
    if (!isForced && target !== '-' && existsSync(resolve(effects.cwd, target)))
      throw exists(target)
    let raw = given
    if (canAsk(effects)) {
      const { askAnswers } = await import('../init/ask-answers.ts')
      try {
        raw = await askAnswers(effects, given, datasets)
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error
        say(effects, 'cancelled; nothing was written')
        return EXIT.interrupted
      }
    }
    const answers = checkAnswers(raw, datasets, nowMs)
    const text = initTemplate(answers, datasets)
    if (target === '-') {
      effects.stdout.write(text)
      return EXIT.complete
    }
    await writeConfig(effects, target, text, isForced)
    effects.stdout.write(`${target}\n`)
    for (const line of nextSteps(target, answers.baseUrl)) say(effects, line)
    return EXIT.complete
  },
}

function flagsOf(options: Record<string, unknown>): RawAnswers {
  const text = (name: string): string | undefined => {
    const value = options[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    profile: text('profile'),
    baseUrl: text('baseUrl'),
    datasets: (text('dataset') ?? text('datasets'))?.split(',').map((name) => name.trim()),
    coins: text('coins'),
    exchanges: text('exchanges'),
    vs: text('vs'),
    granularity: text('granularity'),
    from: text('from'),
  }
}

function canAsk({ stdin, isLive }: Effects): boolean {
  return isLive && 'isTTY' in stdin && stdin.isTTY === true
}

/** @throws ConfigError INIT_EXISTS; SinkError OUTPUT_NOT_WRITABLE */
async function writeConfig(
  effects: Effects,
  target: string,
  text: string,
  isForced: boolean,
): Promise<void> {
  try {
    // `wx` and not a look before: nothing can come between.
    await writeFile(resolve(effects.cwd, target), text, { flag: isForced ? 'w' : 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      throw exists(target, cause)
    }
    const { notWritable } = await import('../query/output.ts')
    throw notWritable(target, cause)
  }
}

function exists(target: string, cause?: unknown): ConfigError {
  return new ConfigError(`${target} is there already`, {
    code: 'INIT_EXISTS',
    hint: 'Replace it with --force, or name another file with -o; it was left as it is.',
    cause,
  })
}

function nextSteps(target: string, baseUrl: string): string[] {
  const named = target === 'coinlake.yaml' ? '' : ` -c ${target}`
  const isLocal = new URL(baseUrl).hostname === '127.0.0.1'
  const steps = [
    ...(isLocal ? [['coinlake serve --simulate', 'a made-up service to try it with']] : []),
    isLocal
      ? ['export COINLAKE_API_KEY=any', 'the made-up service takes any key']
      : ['export COINLAKE_API_KEY=...', 'your key of the service'],
    [`coinlake plan${named}`, 'what a backfill would fetch and how long it takes'],
    [`coinlake backfill${named}`, 'fetches it'],
  ]
  const width = Math.max(...steps.map(([command = '']) => command.length))
  return [
    `wrote ${target}; look it over, then:`,
    ...steps.map(([command = '', does = '']) => `  ${command.padEnd(width)}   ${does}`),
  ]
}
