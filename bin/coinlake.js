#!/usr/bin/env node
// Starts the command line: dist/bundle/ in the published package, and in the repository when it is newer than all sources;
// else the sources. When this Node is too old and the pinned one is installed beside coinlake, that one takes over.
// Commands that load for hours first tell the C library to give freed memory back, and take more threads.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Absent before Node 22.1.
const { enableCompileCache } = nodeModule

const [major, minor] = process.versions.node.split('.').map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 19)

/**
 * Variables that a process reads only at its start, so the process replaces itself.
 *
 * - DuckDB's blocks (256 KiB) and the bodies of answers come and go in many threads. By default glibc keeps a heap for
 *   each thread, so the process grows for as long as it runs. Two heaps for pieces up to a megabyte reuse freed memory;
 *   asking the kernel for each block would cost CPU.
 * - Each page is synced to the disk before it counts, and a load takes a thread for its whole time. With libuv's default
 *   of four threads a slow disk left too few for eight pages a second.
 */
const AT_START = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  UV_THREADPOOL_SIZE: '16',
}
/**
 * Parsed answers die young. A small space for young objects is collected often, which also frees the buffers of answers.
 * Most of the heap stays for the whole run, so a full collection is dear: below a limit of 1.5 GB V8 lets the heap grow by
 * four fifths before the next one. Its own flag for this growth would make V8 compile each module of Node anew.
 */
const HEAP_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=1536']
const LOADING = new Set(['backfill', 'refetch', 'restore', 'worker'])

const isPrepared = Object.keys(AT_START).every((name) => process.env[name] !== undefined)
if (isNewEnough && process.platform === 'linux' && LOADING.has(process.argv[2]) && !isPrepared) {
  // Absent before Node 22.15. Node warns that `execve` is experimental, but the replaced process never prints it.
  // A flag of the command line would beat that of the user's NODE_OPTIONS.
  const isSet = (flag) => process.env.NODE_OPTIONS?.includes(flag.split('=')[0])
  const flags = [...HEAP_FLAGS.filter((flag) => !isSet(flag)), ...process.execArgv]
  const args = [process.execPath, ...flags, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args, { ...AT_START, ...process.env })
}

/** Whether a repository has a bundle (`npm run bundle`) that is newer than all of its sources. */
function isBundleFresh() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const stat = (path) => statSync(root + path, { throwIfNoEntry: false })
  const bundle = stat('dist/bundle/main.js')
  // A file that vanishes meanwhile counts as newer than the bundle.
  const isOlder = (path) => (stat(path)?.mtimeMs ?? Infinity) < bundle.mtimeMs
  const rooms = 'config api datasets plan stage sinks activities workflows engine service cli'
  return (
    bundle !== undefined &&
    ['package.json', 'package-lock.json', ...rooms.split(' ')].every(isOlder) &&
    rooms.split(' ').every((room) => {
      const names = readdirSync(root + room, { recursive: true, encoding: 'utf8' })
      return names.every((name) => isOlder(`${room}/${name}`))
    })
  )
}

if (isNewEnough) {
  const isSource = existsSync(new URL('../cli/main.ts', import.meta.url))
  const isBundled = !isSource || isBundleFresh()
  const load = (folder, name) =>
    import(
      new URL(isBundled ? `../dist/bundle/${name}.js` : `../${folder}/${name}.ts`, import.meta.url)
        .href
    )
  const { cacheDir } = await load('engine', 'engine-env')
  // Half of the start of a command is compiling. Without a writable folder, or with NODE_DISABLE_COMPILE_CACHE, modules
  // are compiled each time. The folder is the user's own, because its content is run.
  enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? join(cacheDir(process.env), 'compiled'))
  await load('cli', 'main')
} else {
  const candidates = ['../node_modules/node/bin/node', '../../node/bin/node']
  const pinned = candidates
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (pinned === undefined) {
    process.stderr.write(
      `coinlake needs Node >= 22.19; this is ${process.versions.node}. Install a newer Node, or put one beside coinlake: npm install node@24\n`,
    )
    process.exit(2)
  }
  const self = fileURLToPath(import.meta.url)
  const child = spawn(pinned, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A signal to this process is meant for the command, which would otherwise go on alone. A Ctrl-C reaches both from the
  // terminal; passed on as well, it would count as the second Ctrl-C, which quits.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'))
  child.on('error', (error) => {
    process.stderr.write(`coinlake cannot run ${pinned}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
