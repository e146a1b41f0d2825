import type { z } from 'zod'
import { type ConfigProblem, throwIfAny } from '../../config/config-problem.ts'
import { hintFor } from '../../config/values/did-you-mean.ts'
import { shown } from '../../config/settings/check-structure.ts'
import { isRecord } from '../../config/values/is-record.ts'
import {
  type ConfigPath,
  parseYamlSource,
  type YamlSource,
} from '../../config/settings/yaml-source.ts'
import { FAULT_KINDS, type FaultName, isFaultName } from './fault-kinds.ts'
import { type FaultOrder, orderOf, orderSchema } from './fault-order.ts'

const HINT = 'docs/faults.md lists every fault and its keys.'

/**
 * Reads a file of faults, YAML or JSON: a list of `{ fault, rate, ... }`. Reports all problems at once.
 *
 * @param defaultSeed for faults without a seed
 * @throws InvalidConfigError CONFIG_SYNTAX, FAULTS_NO_LIST, FAULTS_UNKNOWN_FAULT, FAULTS_UNKNOWN_KEY, FAULTS_BAD_VALUE
 */
export function readFaults(file: string, text: string, defaultSeed: number): FaultOrder[] {
  const { source, problems } = parseYamlSource(file, text)
  throwIfAny(problems)
  if (!Array.isArray(source.value) || source.value.length === 0) {
    const what = 'faults are written as a list with at least one `- fault: NAME`'
    throwIfAny([{ where: source.whereValue([]), code: 'FAULTS_NO_LIST', what, hint: HINT }])
  }
  const orders: FaultOrder[] = []
  for (const [place, written] of (source.value as unknown[]).entries()) {
    const order = readOrder(source, place, written, defaultSeed)
    if (Array.isArray(order)) problems.push(...order)
    else orders.push(order)
  }
  throwIfAny(problems)
  return orders
}

function readOrder(
  source: YamlSource,
  place: number,
  written: unknown,
  defaultSeed: number,
): FaultOrder | ConfigProblem[] {
  const name = isRecord(written) ? written['fault'] : undefined
  if (!isFaultName(name)) return [unknownFault(source, place, written, name)]
  const kind = FAULT_KINDS[name]
  const checked = orderSchema(kind).safeParse(written)
  if (!checked.success) {
    return checked.error.issues.flatMap((issue) => problemsOf(source, place, name, issue))
  }
  return orderOf(kind, checked.data, defaultSeed)
}

function unknownFault(
  source: YamlSource,
  place: number,
  written: unknown,
  name: unknown,
): ConfigProblem {
  const where = source.whereValue([place, 'fault'])
  const code = 'FAULTS_UNKNOWN_FAULT'
  if (name === undefined) {
    const what = `faults[${place}] must be a map with the key \`fault\`, not ${shown(written)}`
    return { where, code, what, hint: HINT }
  }
  const names = Object.keys(FAULT_KINDS)
  const what = `faults[${place}].fault is no fault: ${shown(name)}`
  const all = `Faults are: ${names.join(', ')}.`
  return { where, code, what, hint: typeof name === 'string' ? hintFor(name, names, all) : all }
}

function problemsOf(
  source: YamlSource,
  place: number,
  name: FaultName,
  issue: z.core.$ZodIssue,
): ConfigProblem[] {
  const path = [place, ...(issue.path as ConfigPath)]
  if (issue.code === 'unrecognized_keys') {
    const keys = Object.keys(orderSchema(FAULT_KINDS[name]).shape)
    return issue.keys.map((key) => ({
      where: source.whereKey([...path, key]),
      code: 'FAULTS_UNKNOWN_KEY',
      what: `the fault ${name} has no key \`${key}\``,
      hint: hintFor(key, keys, `It may have: ${keys.join(', ')}.`),
    }))
  }
  let value: unknown = source.value
  for (const part of path) value = (value as Record<string | number, unknown> | undefined)?.[part]
  return [
    {
      where: source.whereValue(path),
      code: 'FAULTS_BAD_VALUE',
      what: `faults[${place}].${issue.path.join('.')} is ${shown(value)}: ${issue.message}`,
      hint: HINT,
    },
  ]
}
