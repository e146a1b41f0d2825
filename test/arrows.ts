/** Which rooms a room may import from, beside itself (docs/architecture.md shows the same arrows). */
export const ARROWS: Record<string, readonly string[]> = {
  config: [],
  api: ['config'],
  datasets: ['config', 'api'],
  plan: ['config', 'api', 'datasets'],
  stage: ['config', 'api', 'datasets', 'plan'],
  sinks: ['config', 'api', 'datasets', 'plan', 'stage'],
  activities: ['config', 'api', 'datasets', 'plan', 'stage', 'sinks'],
  // Types of activities and pure values only: checked below.
  workflows: ['activities', 'plan', 'datasets', 'sinks'],
  engine: ['config', 'activities', 'workflows'],
  service: ['config', 'api', 'datasets'],
  cli: [
    'config',
    'api',
    'datasets',
    'plan',
    'stage',
    'sinks',
    'activities',
    'workflows',
    'engine',
    'service',
  ],
}
