import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheDir } from '../../../engine/engine-env.ts'
import { afterAll, onTestFinished } from 'vitest'
import { freePort } from '../../../engine/server/free-port.ts'
import { tempDir } from '../../parts/temp-dir.ts'

/** An S3 service of its own, on a free port of 127.0.0.1, with one bucket. */
export interface TestS3 {
  bucket: string
  /** The environment of a process that reads the buckets, as every S3 client takes it. */
  env: Record<string, string>
  kill(): Promise<void>
  /** Starts it again; with another secret an empty one, which refuses the credentials from before. */
  start(secret?: string): Promise<void>
}

const KEY_ID = 'coinlake-test'
const BUCKET = 'lake'
const START_WITHIN_MS = 240_000
const BUILD_WITHIN_MS = 20 * 60_000

/** The server's binary, built once into the user's cache: some minutes. */
function binary(): string {
  const dir = join(cacheDir(process.env), 'bin')
  const file = join(dir, 'minio')
  if (existsSync(file)) return file
  mkdirSync(dir, { recursive: true })
  process.stderr.write('building MinIO with Go: this takes some minutes, once\n')
  const { status, stderr, error } = spawnSync('go', ['install', 'github.com/minio/minio@latest'], {
    env: { ...process.env, GOBIN: dir, CGO_ENABLED: '0' },
    encoding: 'utf8',
    timeout: BUILD_WITHIN_MS,
  })
  if (status === 0) return file
  throw new Error(
    `MinIO cannot be built (${error?.message ?? stderr.trim().split('\n').at(-1)}). Put its binary at ${file}, or install Go.`,
  )
}

/** A service for all tests of a file, with its credentials in the environment. */
export async function s3OfFile(): Promise<TestS3> {
  const s3 = await startS3(afterAll)
  Object.assign(process.env, s3.env)
  return s3
}

/** Starts MinIO, which ends after the test; for all tests of a file: `startS3(afterAll)`. */
export async function startS3(
  whenDone: (undo: () => Promise<void> | void) => void = onTestFinished,
): Promise<TestS3> {
  const program = binary()
  const dir = tempDir(whenDone)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env: Record<string, string> = {
    AWS_ACCESS_KEY_ID: KEY_ID,
    AWS_SECRET_ACCESS_KEY: 'first-secret-of-the-test',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_S3: url,
  }
  let server: ChildProcess | null = null

  async function start(secret = env['AWS_SECRET_ACCESS_KEY'] ?? ''): Promise<void> {
    // Its folder belongs to its credentials; a folder in that is a bucket.
    const data = join(dir, secret)
    mkdirSync(join(data, BUCKET), { recursive: true })
    const args = ['server', data, '--address', `127.0.0.1:${port}`, '--quiet']
    server = spawn(program, args, {
      env: {
        PATH: process.env['PATH'],
        HOME: dir,
        MINIO_ROOT_USER: KEY_ID,
        MINIO_ROOT_PASSWORD: secret,
        MINIO_BROWSER: 'off',
      },
      stdio: 'ignore',
    })
    const deadlineMs = Date.now() + START_WITHIN_MS
    while (!(await isReady(url))) {
      if (Date.now() > deadlineMs || server.exitCode !== null) {
        throw new Error('MinIO does not start')
      }
      await sleep(50)
    }
  }

  async function kill(): Promise<void> {
    const running = server
    if (running === null || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('close', resolve))
    running.kill('SIGKILL')
    await gone
    server = null
  }

  whenDone(kill)
  await start()
  return { bucket: BUCKET, env, kill, start }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/minio/health/ready`)).ok
  } catch {
    return false
  }
}
