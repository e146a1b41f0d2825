import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isLoopbackHost } from '../../config/base-url.ts'
import { ConfigError } from '../../config/config-error.ts'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { isStdinTerminal, print, say, type Effects, type Options } from '../effects.ts'
import type { RawAnswers } from '../init/check-answers.ts'
import { studies } from '../init/studies.ts'
import { shellWord } from '../render/shell-word.ts'
import { choiceFlags, namesOption, textOption } from '../run/choice-flags.ts'
import { addChoiceOptions, joined } from './config-options.ts'

export const init: CliCommand = {
  name: 'init',
  group: 'Start',
  summary: 'write a commented coinlake.yaml; asks questions on a terminal',
  examples: {
    'coinlake init': 'asks what to study, then writes ./coinlake.yaml',
    'coinlake init --study prices,exchanges --coins top:100 --from 2020-01-01 --yes':
      'asks nothing; other settings get their defaults',
    'coinlake init -o - --profile coingecko-demo': 'prints the file',
  },
  configure(command) {
    const topics = studies.map(({ name }) => name).join(', ')
    command
      .option('--profile <name>', 'interface, coingecko-demo or coingecko-pro')
      .option('--base-url <url>', 'address of the service; https, or http on this machine')
      .option('--monthly-calls <n>', "calls that the key's plan has in a month")
      .option('--study <names>', `topics (csv): ${topics}`, joined)
      .option(
        '--dataset <names>',
        'datasets to export (csv); `coinlake datasets` lists them',
        joined,
      )
    addChoiceOptions(command, {
      from: 'start of histories, UTC (default: a year back)',
      granularity: 'hourly, daily, 5m, 1h, ...; each of several (csv) makes an order',
    })
      .option('--every <period>', 'time between snapshots: 1d, 6h, 1h (default: 1d)')
      .option('-o, --output <file>', 'the file to write; `-` prints it', 'coinlake.yaml')
      .option('-y, --yes', 'ask nothing; missing flags take their defaults')
      .option('--force', 'replace an existing file')
  },
  async run(effects, _args, options) {
    const { datasets } = await import('../../datasets/index.ts')
    const { checkAnswers } = await import('../init/check-answers.ts')
    const { costComments, costLines } = await import('../init/cost-text.ts')
    const { priceAnswers } = await import('../init/price-answers.ts')
    const { initTemplate } = await import('../../config/settings/init-template.ts')
    const given = flagsOf(options)
    const nowMs = effects.clock.nowMs()
    const target = String(options['output'])
    const isForced = options['force'] === true
    const isAsked = effects.isLive && isStdinTerminal(effects) && options['yes'] !== true
    // Wrong flags are refused before the questions. Any study may still be chosen.
    const isOpen = isAsked && given.studies === undefined && given.datasets === undefined
    checkAnswers(isOpen ? { ...given, studies: ['everything'] } : given, nowMs)
    if (!isForced && target !== '-' && existsSync(resolve(effects.cwd, target))) {
      throw new ConfigError(`${target} is there already`, {
        code: 'INIT_EXISTS',
        hint: 'Replace it with --force, or name another file with -o; it was left as it is.',
      })
    }
    let raw = given
    if (isAsked) {
      const { askAnswers } = await import('../init/ask-answers.ts')
      const { Cancelled } = await import('../init/questions.ts')
      try {
        raw = await askAnswers(effects, given, target)
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error
        say(effects, 'cancelled; nothing was written')
        return EXIT.interrupted
      }
    }
    const answers = checkAnswers(raw, nowMs)
    const priced = priceAnswers(answers, nowMs)
    const text = initTemplate(answers, datasets, costComments(priced, nowMs))
    const { writeText } = await import('../query/output.ts')
    await writeText(effects, target, text)
    if (target === '-') return EXIT.complete
    print(effects, [target])
    // The interactive user has seen the costs.
    if (!isAsked) for (const line of costLines(priced)) say(effects, line)
    for (const line of nextSteps(target, answers.source.baseUrl, effects.env)) say(effects, line)
    return EXIT.complete
  },
}

function flagsOf(options: Options): RawAnswers {
  return {
    profile: textOption(options, 'profile'),
    baseUrl: textOption(options, 'baseUrl'),
    monthlyCalls: textOption(options, 'monthlyCalls'),
    studies: namesOption(options, 'study'),
    datasets: namesOption(options, 'dataset'),
    ...choiceFlags(options),
    every: textOption(options, 'every'),
  }
}

function nextSteps(target: string, baseUrl: string, env: Effects['env']): string[] {
  const named = target === 'coinlake.yaml' ? '' : ` -c ${shellWord(target)}`
  const isLocal = isLoopbackHost(new URL(baseUrl).hostname)
  const keyStep = isLocal
    ? ['export COINLAKE_API_KEY=any', 'the simulated service takes any key']
    : ['export COINLAKE_API_KEY=...', 'your key of the service']
  const { COINLAKE_BASE_URL: other } = env
  const steps = [
    ...(isLocal ? [['coinlake serve --simulate', 'a simulated service to try it with']] : []),
    ...(env['COINLAKE_API_KEY'] === undefined ? [keyStep] : []),
    [`coinlake doctor${named}`, 'checks what a run needs'],
    [`coinlake plan${named}`, 'shows what a backfill would fetch and how long it takes'],
    [`coinlake backfill${named}`, 'fetches it'],
  ]
  const width = Math.max(...steps.map(([command = '']) => command.length))
  return [
    ...(other === undefined ? [] : [`note: COINLAKE_BASE_URL (${other}) overrides its base_url`]),
    `wrote ${target}; look it over, then:`,
    ...steps.map(([command = '', does = '']) => `  ${command.padEnd(width)}   ${does}`),
  ]
}
