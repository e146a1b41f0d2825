import { expect, test } from 'vitest'
import { figure, tableLines } from '../../bench/figure-table.ts'
import type { FigureTable } from '../../bench/figure-table.ts'

const NO_GOALS: FigureTable = {
  title: 'seconds and bytes',
  rowsAre: 'what',
  columns: [{ name: 'ours' }, { name: 'theirs', unit: 's', decimals: 1 }, { name: '' }],
  rows: [
    { name: 'time', unit: 's', decimals: 2, cells: [1.234, 2.06, 'as text'] },
    { name: 'memory', unit: 'MiB', decimals: 0, cells: [99.6, null, ''] },
    { name: 'as it is', cells: [0.125, 3] },
  ],
}

test('a figure has the decimals of its column, else of its row, else its own', () => {
  expect(tableLines(NO_GOALS)).toEqual([
    'seconds and bytes',
    'what          ours  theirs, s',
    'time, s       1.23        2.1  as text',
    'memory, MiB    100          -',
    'as it is     0.125        3.0        -',
  ])
})

test('a column with goals has another behind it, that tells which are kept', () => {
  const columns = [{ name: 'ratio', decimals: 2 }, { name: 'rows' }]
  const rows = [
    { name: 'kept', cells: [{ value: 1.5, atMost: 1.5 }, 1] },
    { name: 'missed', cells: [{ value: 1.501, atMost: 1.5 }, 2] },
    { name: 'without', cells: [9, 3] },
    { name: 'not measured', cells: [{ value: figure(0 / 0), atMost: 10 }, 4] },
  ]
  expect(tableLines({ title: '', rowsAre: '', columns, rows })).toEqual([
    '              ratio  at most         rows',
    'kept           1.50      1.5 kept       1',
    'missed         1.50      1.5 missed     2',
    'without        9.00                     3',
    'not measured      -       10 open       4',
  ])
})

test('a table whose columns have no names begins with its rows', () => {
  const rows = [{ name: 'time', unit: 's', cells: [1] }]
  const table = { title: '', rowsAre: '', columns: [{ name: '' }], rows }
  expect(tableLines(table)).toEqual(['time, s  1'])
  expect(tableLines({ ...table, title: 'one' })).toEqual(['one', 'time, s  1'])
})

test('a column with goals of both kinds shows the kind of each', () => {
  const rows = [
    { name: 'fast', cells: [{ value: 2, atLeast: 2 }] },
    { name: 'slow', cells: [{ value: 1.9, atLeast: 2 }] },
    { name: 'small', cells: [{ value: 1, atMost: 2 }] },
  ]
  expect(tableLines({ title: '', rowsAre: '', columns: [{ name: 'x' }], rows })).toEqual([
    '         x        goal',
    'fast     2  at least 2 kept',
    'slow   1.9  at least 2 missed',
    'small    1   at most 2 kept',
  ])
})
