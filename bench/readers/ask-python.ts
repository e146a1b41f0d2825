import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Found } from './reader-cells.ts'

/** Far from UTC: a view's answer must not depend on the session's zone. */
const ZONE = 'America/New_York'

/**
 * Runs a script of bench/readers/. The script reads the relations as JSON from its standard input, and answers each with
 * a line of JSON.
 *
 * @throws Error with its last lines when the script fails
 */
export async function askPython(
  python: string,
  [script, ...args]: readonly [string, ...string[]],
  asked: unknown,
): Promise<Found[]> {
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url))
  const env = { ...process.env, TZ: ZONE, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(python, [path, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => out.push(part))
  child.stderr.on('data', (part: Buffer) => err.push(part))
  const ended = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(asked))
  const [code] = await ended
  if (code !== 0) {
    const words = Buffer.concat(err).toString().trim().split('\n').slice(-3).join('\n')
    throw new Error(`${script} ended with ${String(code)}: ${words}`)
  }
  const lines = Buffer.concat(out).toString().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Found)
}
