import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../../cli/program.ts'
import { parseConfig } from '../../config/load-config.ts'
import { datasets } from '../../datasets/index.ts'
import { REPOSITORY } from '../docs/page-text.ts'
import { silentEffects } from '../parts/silent-effects.ts'

interface Service {
  image: string
  build?: { dockerfile: string }
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, unknown>
}

const text = readFileSync(join(REPOSITORY, 'deploy/compose.yaml'), 'utf8')
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>
  configs: { coinlake: { content: string } }
  volumes: Record<string, unknown>
}
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)

test('what services name is there, and images of others are pinned', () => {
  for (const [name, { image, build, volumes = [], depends_on = {} }] of services) {
    expect(Object.keys(compose.services), name).toEqual(
      expect.arrayContaining(Object.keys(depends_on)),
    )
    const named = volumes.map((volume) => volume.split(':')[0])
    expect(Object.keys(compose.volumes), name).toEqual(expect.arrayContaining(named))
    if (build === undefined) expect(image, name).toMatch(/^[\w.]+\/[\w/]+:[\w.-]*\d/)
  }
  // A folder of two workers would be one warehouse.
  const all = services.flatMap(([, { volumes = [] }]) => volumes)
  expect(new Set(all).size).toBe(all.length)
})

test('its configuration loads, with hosts that are services', () => {
  const { content } = compose.configs.coinlake
  const env = { COINLAKE_API_KEY: 'key' }
  const config = parseConfig({ file: 'compose.yaml', env, datasets }, content)
  expect(Object.keys(config.schedules)).toEqual(['daily'])
  // Compose would fill it in.
  expect(content).not.toContain('$')
  const hosts = [content, JSON.stringify(ours[0]?.[1].environment)].flatMap((part) =>
    [...part.matchAll(/host=(\w+)|"http:\/\/(\w+):|"(\w+):7233/g)].flatMap((found) =>
      found.slice(1).filter(Boolean),
    ),
  )
  expect(hosts.toSorted()).toEqual(['postgres', 's3', 'temporal'])
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(hosts))
})

test('its commands are commands', () => {
  expect(ours.length).toBeGreaterThan(2)
  const program = createProgram(silentEffects(), () => undefined)
  const shown = [...text.matchAll(/run --rm coinlake (\w+)/g)].map(([, verb = '']) => verb)
  const verbs = [...ours.flatMap(([, { command = ['worker'] }]) => command[0] ?? ''), ...shown]
  expect(program.commands.map((one) => one.name())).toEqual(expect.arrayContaining(verbs))
})
