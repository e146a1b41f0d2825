import { expect, test } from 'vitest'
import { derivativeTickers } from '../../datasets/derivative-tickers.ts'
import { Warehouse } from './warehouse.ts'
import { wholeItem } from './whole-body.ts'

test('one contract listed more than once keeps each of its rows; nothing listed is an empty list', () => {
  const contract = wholeItem('derivatives')
  for (const body of [[contract, { ...contract, price: '2' }, contract], []]) {
    const warehouse = new Warehouse()
    warehouse.load(derivativeTickers, body)
    expect(warehouse.answer('derivatives')).toEqual(body)
  }
})
