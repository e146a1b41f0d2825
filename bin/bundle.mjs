// Makes dist/bundle/: the command line in fewer files, with the libraries that are plain JavaScript and always
// loaded. To find and read 700 modules takes a command as long as what it does. `npm run bundle`, and prepack.
import { copyFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import './ensure-installed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The others have native parts, are found by the path of their files, or are loaded by few commands. */
const BUNDLED =
  /^(apache-arrow|commander|flatbuffers|lru-cache|p-limit|tslib|undici|yaml|yocto-queue|zod)($|\/)/

// Its modules stand as deep as dist/engine/: they find ../workflows/ and ../engine/ from there.
const dir = `${root}dist/bundle`
// Beside it, since commands may be running from it.
const draft = `${root}dist/.bundle-${process.pid}`
const startedS = Date.now() / 1_000
// A fresh clone has no bundler yet.
const { rolldown } = await import('rolldown')
const built = await rolldown({
  cwd: root,
  input: { main: `${root}cli/main.ts`, 'engine-dirs': `${root}engine/engine-dirs.ts` },
  platform: 'node',
  external: (id) => !/^[./]/.test(id) && !BUNDLED.test(id),
})
await built.write({
  dir: draft,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
})
// A source that is written from here on is newer.
utimesSync(`${draft}/main.js`, startedS, startedS)
rmSync(dir, { recursive: true, force: true })
renameSync(draft, dir)
mkdirSync(`${root}dist/engine`, { recursive: true })
copyFileSync(`${root}engine/keep-server.sh`, `${root}dist/engine/keep-server.sh`)
