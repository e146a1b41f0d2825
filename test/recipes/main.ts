// npm run recipes [name ...] [-- --update]: runs the commands of docs/recipes/ on a demo's warehouse. Compares their
// output with the pages and with DuckDB's own answer. Exit code 0 = all equal.
// No part of npm test: the tools come from package registries, into the user's cache.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../../engine/engine-env.ts'
import { REPOSITORY } from '../docs/page-text.ts'
import { makeLake } from './make-lake.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { type RecipePage, recipePages, recipeQuestion } from './recipe-pages.ts'
import { recipeSteps } from './recipe-steps.ts'
import { rowsMissingIn } from './rows-in-output.ts'
import { runSteps } from './run-steps.ts'
import { isAbridged, isSameOutput } from './same-output.ts'
import { withOutputs } from './with-outputs.ts'
import { freePort } from '../../engine/server/free-port.ts'

/** Longest that one recipe may take: Superset installs for a while. */
const TIMEOUT_MS = 1_200_000
const USAGE_EXIT_CODE = 2

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const isUpdate = words.includes('--update')
  const names = words.filter((word) => word !== '--update')
  const all = recipePages()
  const unknown = names.filter((name) => !all.some((recipe) => recipe.name === name))
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(', ')
    console.error(`no recipe ${unknown.join(', ')}; there are: ${known}`)
    return USAGE_EXIT_CODE
  }
  const root = join(cacheDir(process.env), 'recipes')
  console.log(`making a demo's warehouse in ${root} ...`)
  // Far from UTC, so that a recipe that forgets the time zone does not get away with it.
  const env = {
    ...process.env,
    TZ: 'America/New_York',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    npm_config_loglevel: 'error',
    // A Temporal server of its own, as the demo has one.
    COINLAKE_ENGINE_DIR: join(root, 'engine'),
    COINLAKE_ENGINE_ISOLATED: '1',
    COINLAKE_ENGINE_GRACE_MS: '1000',
    PORT: String(await freePort()),
  }
  const demo = makeLake(root, env)
  const answer = await answerOf(join(demo, 'warehouse', 'coinlake.duckdb'), recipeQuestion())
  const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name))
  let failed = 0
  for (const recipe of chosen) {
    const faults = await run(recipe, { demo, env, answer, isUpdate })
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) failed += 1
  }
  console.log(`${chosen.length - failed} as shown, ${failed} not`)
  return failed === 0 ? 0 : 1
}

interface Around {
  demo: string
  env: NodeJS.ProcessEnv
  answer: readonly (readonly string[])[]
  isUpdate: boolean
}

/** Returns what is not as the page says. */
async function run(
  { name, page }: RecipePage,
  { demo, env, answer, isUpdate }: Around,
): Promise<string[]> {
  const steps = recipeSteps(page)
  const startedMs = performance.now()
  const { printed, exitCode } = await runSteps(steps, { cwd: demo, env, timeoutMs: TIMEOUT_MS })
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  if (exitCode !== 0) {
    const why = exitCode === null ? 'was ended after too long' : `ended with ${exitCode}`
    const where = steps[printed.length - 1]?.where ?? page.file
    return [`${name}  FAILED  ${where} ${why}:\n${printed.at(-1) ?? ''}`]
  }
  const other = steps.flatMap((step, index) => {
    const { shown } = step
    const output = printed[index] ?? ''
    return shown === null || isSameOutput(shown, output) ? [] : [{ step, output }]
  })
  // Where only parts are shown, nobody but the author knows which.
  const left = other.filter(({ step }) => !isUpdate || isAbridged(step.shown ?? ''))
  if (isUpdate && left.length < other.length) {
    const path = join(REPOSITORY, page.file)
    const written = other.filter((one) => !left.includes(one))
    writeFileSync(path, withOutputs(readFileSync(path, 'utf8'), written))
  }
  const missing = rowsMissingIn(printed.join('\n'), answer)
  const told = `${steps.length} steps, ${seconds} s, ${answer.length - missing.length} of ${answer.length} rows as DuckDB has them`
  const isFine = left.length === 0 && missing.length === 0
  console.log(`${name}  ${isFine ? 'ok' : 'FAILED'}  ${told}`)
  return [
    ...missing.map((row) => `${page.file}: nothing printed holds the row ${row}`),
    ...left.map(({ step, output }) => `${step.where} printed something else:\n${output}`),
  ]
}

async function answerOf(file: string, sql: string): Promise<string[][]> {
  const asText = `SELECT COLUMNS(*)::VARCHAR FROM (${sql.replace(/;\s*$/, '')})`
  return (await askDuckdb(file, asText, 'READ_ONLY')).getRowsJson() as string[][]
}
