/**
 * `npm run bench:dataplane [-- --rows=connections,scale --services=10,1000 --rounds=11 --seconds=1 --profile=1 --objects=PATH,PATH]`: the eBPF programs
 * and their agent against kube-proxy's rules (iptables, and nftables where `nft` is there) and against the way without a Service, in turns in one run.
 * Other objects of the programs run in turns with them. Root; not part of `npm test`. `--rows=` alone lists the rows, and how long each takes.
 */
import { loadavg } from 'node:os';
import { isThere } from '#e2e/dataplane/testing/can-run-programs.ts';
import { agentRows } from './agent-rows.ts';
import { type Figure, type Options, type Row, table } from './figures.ts';
import { countProgramTimes } from './program-times.ts';
import { trafficRows } from './traffic-rows.ts';

const rows: readonly Row[] = [...trafficRows, ...agentRows];

const given = Object.fromEntries(
  process.argv.slice(2).map((one) => one.replace(/^--/, '').split('=') as [string, string | undefined]),
);
const options: Options = {
  scales: (given.services ?? '1000').split(',').map(Number),
  rounds: Number(given.rounds ?? 11),
  seconds: Number(given.seconds ?? 1),
  profile: given.profile !== undefined,
  nft: isThere('nft'),
  objects: given.objects?.split(',') ?? [],
};
const names = given.rows === undefined ? rows.map(({ name }) => name) : given.rows.split(',');
const wanted = rows.filter(({ name }) => names.includes(name));
if (wanted.length < names.length) {
  for (const { name, title, seconds } of rows) console.log(`${name.padEnd(20)} ${about(seconds(options))}  ${title}`);
  process.exit(2);
}

if (!options.nft) console.log('nftables is left out: there is no nft (Debian: nftables).');
if (options.profile) process.once('exit', countProgramTimes());
const figures: Figure[] = [];
for (const { name, title, run, seconds } of wanted) {
  console.log(`${name}: ${title}; about ${about(seconds(options)).trim()}, load ${loadavg()[0]?.toFixed(1)}`);
  const began = performance.now();
  const found = await run(options, (line) => console.log(`  … ${line}`));
  console.log(
    table(found)
      .map((line) => `  ${line}`)
      .join('\n'),
  );
  console.log(`  took ${about((performance.now() - began) / 1000).trim()}`);
  figures.push(...found.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
}
if (wanted.length > 1) console.log(table(figures).join('\n'));

function about(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2)} min ${String(Math.round(seconds % 60)).padStart(2)} s`;
}
