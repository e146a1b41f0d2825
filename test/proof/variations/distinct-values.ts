type Members<T> = Record<string, T>

let drawn = 0

/** A number that no other call gives: never whole, so that a count is no amount. */
function draw(): number {
  drawn += 1
  return drawn + 1 / (drawn + 7)
}

function members<T>(keys: string, value: (key: string, drawn: number) => T): Members<T> {
  return Object.fromEntries(keys.split(/\s+/).map((key) => [key, value(key, draw())]))
}

/** Keys, divided by blanks, each with an amount of its own. */
export function amounts(keys: string): Members<number> {
  return members(keys, (_, value) => value)
}

/** Keys with a whole number of their own. */
export function counts(keys: string): Members<number> {
  return members(keys, (_, value) => Math.floor(value))
}

/** Keys with a text of their own. */
export function texts(keys: string): Members<string> {
  return members(keys, (key, value) => `${key} ü ${Math.floor(value)}`)
}

/** Keys with a decimal as text of their own, with more digits than a double has. */
export function decimals(keys: string): Members<string> {
  return members(keys, (_, value) => `${value}0123456789012345678901`)
}

/** Keys with a time of their own, in epoch seconds. */
export function seconds(keys: string): Members<number> {
  return members(keys, (_, value) => 1_700_000_000 + Math.floor(value))
}

/** Keys with an instant of their own, as `2023-11-14T22:13:21.123Z`. */
export function instants(keys: string): Members<string> {
  return members(keys, (_, value) => new Date(1_700_000_000_000 + value * 1000).toISOString())
}

/** Keys with an instant of their own, as `2023-11-14T22:13:21+00:00`. */
export function zonedInstants(keys: string): Members<string> {
  return members(keys, (_, value) => {
    const iso = new Date(1_700_000_000_000 + Math.floor(value) * 1000).toISOString()
    return `${iso.slice(0, -'.000Z'.length)}+00:00`
  })
}
