import { existsSync, readFileSync } from 'node:fs'

/** package.json lies one folder above cli/, and two above dist/cli/ and dist/bundle/. */
const packageFile = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((file) => existsSync(file))!

const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

export const coinlakeVersion = version
