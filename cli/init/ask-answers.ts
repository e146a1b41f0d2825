import { isCancel, multiselect, select, text } from '@clack/prompts'
import { keyUse } from '../../config/dataset-shape.ts'
import type { DatasetKey, DatasetShape } from '../../config/dataset-shape.ts'
import { profiles } from '../../config/profiles.ts'
import type { Effects } from '../effects.ts'
import { Cancelled } from './cancelled.ts'
import {
  DEFAULT_COINS,
  DEFAULT_DATASETS,
  LOCAL_SERVICE,
  defaultFrom,
  problemOf,
} from './check-answers.ts'
import type { RawAnswers } from './check-answers.ts'

/**
 * Asks for what the flags did not say, one question at a time; each answer is checked at once.
 *
 * @throws Cancelled
 */
export async function askAnswers(
  effects: Effects,
  given: RawAnswers,
  shapes: readonly DatasetShape[],
): Promise<RawAnswers> {
  const raw = { ...given }
  const streams = { input: effects.stdin, output: effects.stderr }
  const askText = async (
    key: 'baseUrl' | 'coins' | 'exchanges' | 'vs' | 'from',
    message: string,
    defaultValue: string,
  ) => {
    if (raw[key] !== undefined) return
    raw[key] = answered(
      await text({
        ...streams,
        message,
        defaultValue,
        placeholder: defaultValue,
        validate: (value) =>
          value === undefined || value === ''
            ? undefined
            : problemOf({ ...raw, [key]: value }, shapes),
      }),
    )
  }
  if (raw.profile === undefined) {
    const options = Object.values(profiles).map(({ name, title }) => ({
      value: name,
      label: title,
    }))
    const message = 'Which service?'
    raw.profile = answered(
      await select({ ...streams, message, options, initialValue: 'interface' }),
    )
  }
  const standard = Object.values(profiles).find(({ name }) => name === raw.profile)?.defaultBaseUrl
  await askText('baseUrl', 'Where is it?', standard ?? LOCAL_SERVICE)
  raw.datasets ??= answered(
    await multiselect({
      ...streams,
      message: 'What do you want of it?',
      options: shapes.map(({ name, description }) => ({ value: name, hint: description ?? '' })),
      initialValues: DEFAULT_DATASETS,
      required: true,
    }),
  )
  const chosen = shapes.filter(({ name }) => raw.datasets?.includes(name))
  const needs = (key: DatasetKey): boolean =>
    chosen.some((shape) => keyUse(shape, key) === 'required')
  if (needs('coins')) {
    await askText('coins', 'Which coins? (ids, top:100, category:ID, all)', DEFAULT_COINS.join(','))
  }
  if (needs('exchanges')) await askText('exchanges', 'Which exchanges? (ids)', 'binance,kraken')
  if (chosen.some(({ perCurrency }) => perCurrency)) {
    await askText('vs', 'In which currencies?', 'usd')
  }
  const steps = [...new Set(chosen.flatMap(({ granularities }) => granularities))]
  if (steps.length > 0 && raw.granularity === undefined) {
    const options = steps.map((value) => ({ value }))
    const initialValue = steps.find((step) => step === '1d') ?? steps[0]!
    const message = 'How far apart are the points of a history?'
    raw.granularity = answered(await select({ ...streams, message, options, initialValue }))
  }
  if (needs('from')) {
    await askText('from', 'From which day on? (UTC)', defaultFrom(effects.clock.nowMs()))
  }
  return raw
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Cancelled()
  return answer as Exclude<T, symbol>
}
