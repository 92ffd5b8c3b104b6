import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as bpf from './index.ts';

/** The constants in the programs' source: `SERVICE_INSIDE_LOCAL = 1 << 0`. */
const folder = join(import.meta.dirname, '../../../bpf');
const source = readdirSync(folder)
  .filter((name) => name.endsWith('.h'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const inC = new Map(
  [...source.matchAll(/^\t([A-Z][A-Z_]+) = (\d+)(?: << (\d+))?,$/gm)].map(([, name, base, shift = '0']) => [
    name,
    Number(base) << Number(shift),
  ]),
);

const tables = [
  ['SERVICE_', bpf.serviceFlags],
  ['BACKENDS_', bpf.backendLists],
  ['BACKEND_', bpf.backendFlags],
  ['ROUTE_', bpf.routeFlags],
  ['INTERFACE_', bpf.interfaceKinds],
  ['CONFIG_', bpf.configFlags],
  ['FLOW_', bpf.flowFlags],
  ['FLOW_TYPE_', bpf.flowTypes],
  ['TUNNEL_', bpf.tunnelDefaults],
  ['FLOW_LASTS_', bpf.flowLasts],
  ['SEEN_', bpf.tcpSeen],
  ['OUTCOME_', bpf.outcomes],
] as const;

test.each(tables)('%s… has the same values in C and here', (prefix, table) => {
  const here = Object.entries(table).map(([name, value]) => [
    prefix + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    value,
  ]);
  const narrower = tables.map(([other]) => other).filter((other) => other !== prefix && other.startsWith(prefix));
  const there = [...inC].filter(
    ([name]) => name?.startsWith(prefix) && !narrower.some((other) => name.startsWith(other)),
  );
  expect(Object.fromEntries(there)).toEqual(Object.fromEntries(here));
});
