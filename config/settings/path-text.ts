import type { ConfigPath } from './yaml-source.ts'

/** `datasets.market_chart[1].from` */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}
