/** Source files of each room whose mutants `npm run mutate` looks at; its tests are those of the folder of that name in test/. */
export const ROOMS: Readonly<Record<string, string>> = {
  api: 'api/**/*.ts',
  plan: 'plan/**/*.ts',
  datasets: 'datasets/**/*.ts',
  stage: 'stage/**/*.ts',
  sinks: 'sinks/**/*.ts',
  // The rest of the room runs inside of Temporal only.
  workflows: 'workflows/{run-pace,share-month,steer-budget}.ts',
  config: 'config/**/*.ts',
}
