import type { Benchmark } from './benchmark.ts';

/**
 * `npm run bench [-- NAME… --option=value]`: measures, and prints figures and ratios of one run. Not part of `npm test`.
 * Each is loaded when its turn comes: what the others need is no part of the memory that one measures of itself.
 */
const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  commands: async () => (await import('./commands.ts')).commands,
  dump: async () => (await import('./dump.ts')).dump,
  check: async () => (await import('./check.ts')).check,
  js: async () => (await import('./js.ts')).js,
  start: async () => (await import('./start.ts')).start,
  live: async () => (await import('./live.ts')).live,
  flood: async () => (await import('./flood.ts')).flood,
  flows: async () => (await import('./flows/history.ts')).flows,
  'flow-table': async () => (await import('./flows/table.ts')).flowTable,
  node: async () => (await import('./node.ts')).node,
  nodes: async () => (await import('./nodes.ts')).nodes,
  owners: async () => (await import('./owners.ts')).owners,
  'three-way': async () => (await import('./three-way.ts')).threeWay,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
};

const given = process.argv.slice(2);
const wanted = given.filter((one) => !one.startsWith('--'));
const options = Object.fromEntries(
  given.filter((one) => one.startsWith('--')).map((one) => [one.slice(2).split('=')[0], one.split('=')[1] ?? 'yes']),
);

const unknown = wanted.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0 || options.help) {
  process.stderr.write(`bench: ${unknown.join(', ') || 'usage'}: there are ${Object.keys(benchmarks).join(', ')}.\n`);
  process.exit(2);
}

for (const [name, load] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const benchmark = await load();
  process.stdout.write(`${benchmark.name}: ${benchmark.title}\n`);
  const report = (line: string) => process.stderr.write(`  … ${line}\n`);
  for (const line of await benchmark.run({ report, options })) process.stdout.write(`  ${line}\n`);
}
