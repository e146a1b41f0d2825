import type { Readable, Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { styleText } from 'node:util'
import { clockFromEnv, type Clock } from '../config/clock.ts'
import { printableJson, printable } from '../config/values/foreign-text.ts'

/** Everything outside that a command touches. Tests replace it and run commands without a subprocess. */
export interface Effects {
  /** Written by `print`, `printJson` and, for rows of a query, cli/query/output.ts. */
  stdout: Writable
  stderr: Writable
  stdin: Readable
  env: Record<string, string | undefined>
  cwd: string
  clock: Clock
  /** Whether progress may move on stderr: a terminal, not CI, not TERM=dumb. */
  isLive: boolean
  /** Whether stdout is a terminal: tables are drawn for people there. */
  isTerminal: boolean
}

/**
 * @param clock null = by COINLAKE_NOW, else the system's
 * @throws ConfigError for a COINLAKE_NOW that is no time
 */
export function processEffects(clock: Clock | null = null): Effects {
  const { env } = process
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env,
    cwd: process.cwd(),
    clock: clock ?? clockFromEnv(env),
    isLive: isatty(2) && env['CI'] === undefined && env['TERM'] !== 'dumb',
    isTerminal: isatty(1),
  }
}

/** Options of the command line, global ones included, by commander's camelCase names. */
export type Options = Readonly<Record<string, unknown>>

export function isStdinTerminal({ stdin }: Effects): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true
}

/** A line for people. Foreign text in it is escaped; its first word may have a colour. */
export type Line = string | { lead: string; color: Color; text: string }

export type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'dim'

/** Prints lines for people on stdout: the result of a command. */
export function print(effects: Effects, lines: readonly Line[]): void {
  const isColored = mayColor(effects, effects.isTerminal)
  effects.stdout.write(lines.map((line) => `${shown(line, isColored)}\n`).join(''))
}

export function printJson(effects: Effects, document: unknown, indent = 2): void {
  effects.stdout.write(`${printableJson(document, indent)}\n`)
}

/** Prints the result of a command, as JSON with --json. */
export function printResult(
  effects: Effects,
  { json }: Options,
  document: unknown,
  lines: () => readonly Line[],
): void {
  if (json === true) printJson(effects, document)
  else print(effects, lines())
}

/** Prints one line for people on stderr, because stdout is for data. */
export function say(effects: Effects, line: Line): void {
  effects.stderr.write(`${shown(line, mayColor(effects, effects.isLive))}\n`)
}

/** @param isTerminal whether the stream of the text is a terminal */
export function mayColor({ env }: Effects, isTerminal: boolean): boolean {
  return isTerminal && env['NO_COLOR'] === undefined
}

function shown(line: Line, isColored: boolean): string {
  if (typeof line === 'string') return printable(line)
  const lead = printable(line.lead)
  const painted = isColored ? styleText(line.color, lead, { validateStream: false }) : lead
  return painted + printable(line.text)
}
