/** The functions without their first parameter, the context. */
export type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (
    context: never,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never
}

export function bindContext<
  Context,
  Functions extends Readonly<Record<string, (context: Context, ...rest: never[]) => unknown>>,
>(context: Context, functions: Functions): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, one]) => [name, one.bind(null, context)])
  return Object.fromEntries(bound) as Bound<Functions>
}
