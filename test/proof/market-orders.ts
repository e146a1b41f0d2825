import { DAY_MS } from '../../config/values/duration.ts'
import type { Dataset, Granularity } from '../../datasets/dataset.ts'
import { keyUse } from '../../config/settings/order-settings.ts'
import { marketEntities } from '../../service/market/listing-batches.ts'
import type { Market } from '../../service/market/market-entries.ts'

/** Which series of a dataset is asked for, and how far back. */
export interface OrderWindow {
  granularity: Granularity | ''
  days: number
}

/** The line of coinlake.yaml that asks for all that a market holds of a dataset. */
export function orderLine(dataset: Dataset, market: Market, window?: OrderWindow): string {
  const { nowMs, vsCurrencies } = market.spec
  const keys: string[] = []
  const say = (key: string, value: unknown): void => {
    keys.push(`${key}: ${JSON.stringify(value)}`)
  }
  const entities = marketEntities(dataset, market)
  if (dataset.entity === 'coin') say('coins', dataset.entitiesPerSlice ? csv(entities) : entities)
  if (keyUse(dataset, 'exchanges') !== 'refused') say('exchanges', entities)
  if (dataset.entity === 'token') say('tokens', dataset.entitiesPerSlice ? csv(entities) : entities)
  if (dataset.entity === 'query') say('queries', entities)
  if (keyUse(dataset, 'vs_currencies') !== 'refused') say('vs_currencies', vsCurrencies)
  // Series are asked for all coins by the datasets without an entity of their own, too.
  if (keyUse(dataset, 'coins') === 'required' && dataset.entity === null) {
    say(
      'coins',
      market.coins.map(({ id }) => id),
    )
  }
  if (window !== undefined) {
    if (window.granularity !== '') say('granularity', window.granularity)
    say('from', new Date(nowMs - window.days * DAY_MS).toISOString())
    say('to', new Date(nowMs).toISOString())
  }
  return `${dataset.name}: { ${keys.join(', ')} }`
}

/** Ids of a slice that carries several. */
function csv(entities: readonly string[]): string[] {
  return entities.flatMap((entity) => entity.split(','))
}
