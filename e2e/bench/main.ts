import type { Benchmark } from './benchmark.ts';
import { check } from './check.ts';
import { commands } from './commands.ts';
import { dump } from './dump.ts';
import { flood } from './flood.ts';
import { flows } from './flows/history.ts';
import { flowTable } from './flows/table.ts';
import { js } from './js.ts';
import { live } from './live.ts';
import { node } from './node.ts';
import { nodes } from './nodes.ts';
import { owners } from './owners.ts';
import { start } from './start.ts';
import { threeWay } from './three-way.ts';
import { upgrade } from './upgrade.ts';

/** `npm run bench [-- NAME… --option=value]`: measures, and prints figures and ratios of one run. Not part of `npm test`. */
const benchmarks: readonly Benchmark[] = [
  commands,
  dump,
  check,
  js,
  start,
  live,
  flood,
  flows,
  flowTable,
  node,
  nodes,
  owners,
  threeWay,
  upgrade,
];

const given = process.argv.slice(2);
const wanted = given.filter((one) => !one.startsWith('--'));
const options = Object.fromEntries(
  given.filter((one) => one.startsWith('--')).map((one) => [one.slice(2).split('=')[0], one.split('=')[1] ?? 'yes']),
);

const unknown = wanted.filter((name) => !benchmarks.some((one) => one.name === name));
if (unknown.length > 0 || options.help) {
  process.stderr.write(
    `bench: ${unknown.join(', ') || 'usage'}: there are ${benchmarks.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

for (const benchmark of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
  process.stdout.write(`${benchmark.name}: ${benchmark.title}\n`);
  const report = (line: string) => process.stderr.write(`  … ${line}\n`);
  for (const line of await benchmark.run({ report, options })) process.stdout.write(`  ${line}\n`);
}
