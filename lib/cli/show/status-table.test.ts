import { expect, test } from 'vitest';
import type { ClusterStatus } from '#lib/status/index.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import { plain } from '../terminal/terminal.ts';
import { statusTable } from './status-table.ts';

const terminal = { paint: plain, columns: 80 } as never;
const seen = (proxy: number | null, bpfEnabled: boolean | null | 'not read', agents: ClusterStatus['agents'] = null) =>
  statusTable(
    {
      components: [],
      installation: { version: 'v3.31.4', dataplane: 'Iptables', generation: 1 },
      felix: bpfEnabled === 'not read' ? null : { bpfEnabled, ownedByOperator: true },
      agents,
      proxy: proxy === null ? null : { desired: proxy, ready: proxy },
      unknown: bpfEnabled === 'not read' ? [{ kind: 'FelixConfiguration', because: 'forbidden' }] : [],
    } as unknown as ClusterStatus,
    [],
    { holder: null } as never,
    terminal,
    flagsByProgram({ context: 'prod' }),
  );

test('a cluster on which nothing serves Services says so first, and what says the way out', () => {
  const [first, second, command] = seen(0, false).split('\n');
  expect(`${first} ${second}`).toBe(
    'No service proxy was found: kube-proxy is off, and the agents are configured without eBPF.',
  );
  expect(command).toBe('  `signalbox check --goal restore --context prod` says what restores them.');
});

test('agents that are told nothing do as the Installation says', () => {
  expect(seen(0, null)).toContain('No service proxy was found');
});

test('a cluster without nodes has nothing that is not served', () => {
  const agentsOf = (desired: number) => ({ desired, updated: desired, available: desired }) as ClusterStatus['agents'];
  expect(seen(0, false, agentsOf(0))).not.toContain('No service proxy was found');
  expect(seen(0, false, agentsOf(3))).toContain('No service proxy was found');
});

test.each([
  ['kube-proxy runs', 6, false],
  ['eBPF serves them', 0, true],
  ['what the agents are told was not read', 0, 'not read'],
  ['no DaemonSet of kube-proxy is there', null, false],
] as const)('where %s nothing is claimed', (_why, proxy, bpf) => {
  expect(seen(proxy, bpf)).not.toContain('No service proxy was found');
});
