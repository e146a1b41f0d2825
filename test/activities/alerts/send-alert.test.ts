import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { alertOfRun } from '../../../activities/alerts/alert.ts'
import { sendAlert } from '../../../activities/alerts/send-alert.ts'
import { freePort } from '../../../engine/server/free-port.ts'
import { Secret } from '../../../config/values/secret.ts'
import { PARTIAL } from './sample-report.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { listen, withBody } from '../../parts/listen.ts'

const ALERT = alertOfRun(PARTIAL, 'hourly', {
  warehouse: '/lake',
  coinlakeVersion: '0.1.0',
  nowMs: 0,
})!

interface Posted {
  request: IncomingMessage
  body: string
}

/** A receiver that answers with a status, or never. */
async function receiver(status: number | null, headers: Record<string, string> = {}) {
  const posted: Posted[] = []
  const url = await listen(
    withBody((body, request, response) => {
      posted.push({ request, body })
      if (status !== null) response.writeHead(status, headers).end('{}')
    }),
  )
  return { url: `${url}/hooks/s3cr3t`, posted }
}

const post = (url: string, timeoutMs = 5_000): Promise<void> =>
  sendAlert({ kind: 'webhook', url: new Secret(url) }, ALERT, { env: {}, timeoutMs })

test('a webhook gets the alert as JSON, with its id', async () => {
  const { url, posted } = await receiver(204)
  await post(url)
  expect(posted).toHaveLength(1)
  expect(posted[0]?.request.method).toBe('POST')
  expect(posted[0]?.request.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': ALERT.id,
    'user-agent': 'coinlake/0.1.0',
  })
  expect(JSON.parse(posted[0]?.body ?? '')).toEqual(ALERT)
})

test.each([
  [404, {}, 'it answers 404'],
  [503, {}, 'it answers 503'],
  [302, { location: 'http://127.0.0.1:9/elsewhere' }, 'it answers 302'],
])('status %i is no success, and nobody is followed elsewhere', async (status, headers, says) => {
  const { url } = await receiver(status, headers)
  const failed = await post(url).catch((error: unknown) => String(error))
  expect(failed).toContain(says)
  expect(failed).not.toContain('s3cr3t')
})

test('who does not answer, or is not there, is told without the address', async () => {
  const { url } = await receiver(null)
  expect(await post(url, 100).catch(String)).toMatch(
    /^Error: POST http:\/\/127[^/]*: no answer in time/,
  )
  const gone = await post(`http://127.0.0.1:${await freePort()}/hooks/s3cr3t`).catch(String)
  expect(gone).toMatch(/ECONNREFUSED|refused/)
  expect(gone).not.toContain('s3cr3t')
})

test('a program gets it on standard input, without a shell', async () => {
  const dir = tempDir()
  const out = join(dir, '$(id) out.json')
  const script =
    'cat > "$1"; printf "\\n%s %s" "$COINLAKE_ALERT_EVENT" "$COINLAKE_ALERT_ID" >> "$1"'
  const argv = ['/bin/sh', '-c', script, 'sh', out]
  const options = { env: { PATH: process.env['PATH'] } }
  await sendAlert({ kind: 'command', argv }, ALERT, options)
  const [json = '', facts] = readFileSync(out, 'utf8').split('\n')
  expect(JSON.parse(json)).toEqual(ALERT)
  expect(facts).toBe(`partial ${ALERT.id}`)
})

test('a program sees where it is and what is told, and no key', async () => {
  const dir = tempDir()
  const out = join(dir, 'env')
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    TZ: 'Europe/Berlin',
    LC_ALL: 'C',
    COINLAKE_ALERT_TOKEN: 'meant for it',
    COINLAKE_API_KEY: 'k3y',
    COINGECKO_API_KEY: 'k3y',
    AWS_SECRET_ACCESS_KEY: 'k3y',
    HTTPS_PROXY: 'http://user:k3y@proxy',
    NODE_OPTIONS: '--require=k3y',
    UNSET: undefined,
  }
  const argv = ['/bin/sh', '-c', 'env > "$1"', 'sh', out]
  await sendAlert({ kind: 'command', argv }, ALERT, { env })
  const seen = readFileSync(out, 'utf8')
  expect(seen).not.toContain('k3y')
  // Variables that a shell adds by itself do not count.
  const lines = seen
    .split('\n')
    .filter((line) => line !== '' && !/^(PWD|OLDPWD|SHLVL|_)=/.test(line))
  expect(lines.toSorted()).toEqual(
    [
      `PATH=${env.PATH}`,
      `HOME=${dir}`,
      'TZ=Europe/Berlin',
      'LC_ALL=C',
      'COINLAKE_ALERT_TOKEN=meant for it',
      'COINLAKE_ALERT_EVENT=partial',
      `COINLAKE_ALERT_ID=${ALERT.id}`,
    ].toSorted(),
  )
})

test.each([
  [['/bin/sh', '-c', 'echo no pager >&2; exit 3'], 'ended with 3: no pager'],
  [['/nowhere/program'], 'ENOENT'],
  [['/bin/sh', '-c', 'exec sleep 30'], 'no end after 300 ms'],
  [['/bin/sh', '-c', 'exec <&-; exit 1'], 'ended with 1'],
])('a program that fails is told: %j', async (argv, says) => {
  const sent = sendAlert({ kind: 'command', argv }, ALERT, { env: {}, timeoutMs: 300 })
  await expect(sent).rejects.toThrow(says)
})

/** A program that leaves another behind, which would live for a minute, and the pid of that one. */
async function leaving(script: (pidFile: string) => string, timeoutMs = 20_000) {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-alert-'))
  const pidFile = join(dir, 'pid')
  const pid = (): number => Number(readFileSync(pidFile, 'utf8'))
  onTestFinished(() => {
    if (existsSync(pidFile) && isAlive(pid())) process.kill(pid(), 'SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })
  const argv = ['/bin/sh', '-c', script(pidFile)]
  const options = { env: { PATH: process.env['PATH'] }, timeoutMs }
  const said = await sendAlert({ kind: 'command', argv }, ALERT, options).catch(String)
  return { said, pid: pid() }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A process that has ended stays in the list until its parent asks for its end.
  if (process.platform !== 'linux') return true
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

test.each([
  [0, undefined],
  [3, 'Error: /bin/sh: ended with 3: no pager'],
])('what a program leaves behind ends with it, and is not waited for: %i', async (code, told) => {
  const { said, pid } = await leaving(
    (file) => `sleep 60 & echo $! > '${file}'; echo no pager >&2; exit ${code}`,
  )
  expect(said).toBe(told)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a program that takes too long is ended with all that it began', async () => {
  const { said, pid } = await leaving((file) => `sleep 60 & echo $! > '${file}'; wait`, 500)
  expect(said).toBe('Error: /bin/sh: no end after 500 ms')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('who leaves the group on purpose is not waited for', async () => {
  const begin = `require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' })`
  const program = `const child = ${begin}; child.unref(); console.error('left'); require('node:fs').writeFileSync(process.argv[1], String(child.pid)); process.exit(4)`
  const { said, pid } = await leaving(
    (file) => `exec '${process.execPath}' -e "${program}" '${file}'`,
  )
  expect(said).toBe('Error: /bin/sh: ended with 4: left')
  expect(isAlive(pid)).toBe(true)
})

test('whoever ends calls back what is on its way', async () => {
  const closing = new AbortController()
  const { url, posted } = await receiver(null)
  const hook = { kind: 'webhook' as const, url: new Secret(url) }
  const options = { env: { PATH: process.env['PATH'] }, signal: closing.signal }
  const sent = Promise.allSettled([
    sendAlert(hook, ALERT, options),
    sendAlert({ kind: 'command', argv: ['/bin/sh', '-c', 'exec sleep 60'] }, ALERT, options),
  ])
  await expect.poll(() => posted.length).toBe(1)
  closing.abort()
  expect((await sent).map((one) => String((one as PromiseRejectedResult).reason))).toEqual([
    expect.stringContaining('no answer in time'),
    'Error: /bin/sh: not needed any more',
  ])
})

test('a sender that a program starts in a session of its own may write on after it', async () => {
  const sent = join(tempDir(), 'sent')
  const script = 'setsid sh -c "sleep 1; echo sending; touch $1" & sleep 0.5; exit 0'
  const argv = ['/bin/sh', '-c', script, 'sh', sent]
  await sendAlert({ kind: 'command', argv }, ALERT, { env: { PATH: process.env['PATH'] } })
  await expect.poll(() => existsSync(sent), { timeout: 20_000 }).toBe(true)
})
