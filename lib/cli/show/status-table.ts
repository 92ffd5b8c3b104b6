import type { LeaseHolder, ShownRun } from '#lib/run/index.ts';
import { type ClusterStatus, type ComponentStatus, isUnserved } from '#lib/status/index.ts';
import { type FlagsByProgram, visibleLine, withClusterFlags } from '#lib/text/index.ts';
import { type Colour, columns, rowsWidth, type Terminal, wrap } from '../terminal/terminal.ts';
import { runInList } from './run-words.ts';
import { unknownLines } from './unknown-lines.ts';

const signs: Record<ComponentStatus['state'], [Colour, string]> = {
  available: ['green', '● available'],
  progressing: ['amber', '◉ progressing'],
  degraded: ['red', '✗ degraded'],
  unknown: ['violet', '? unknown'],
};

/** FelixConfiguration only shows the setting. Whether a node's kernel allowed it is in that agent's log (pain C1). */
function agentsWords(bpf: boolean | null | undefined, otherwise: string): string {
  if (bpf === true) return 'agents are configured for eBPF, not verified on the nodes';
  return bpf === false ? 'agents are configured without eBPF' : otherwise;
}

function dataPlaneOf(status: ClusterStatus): string {
  const { installation, manifest, felix } = status;
  if (installation !== null) {
    const isAsRecorded = felix === null || felix.ownedByOperator;
    const agents = agentsWords(
      felix?.bpfEnabled,
      isUnread(status, 'FelixConfiguration')
        ? 'the agents’ setting for eBPF is not verified'
        : 'agents have no setting for eBPF',
    );
    return `${installation.dataplane ?? 'not set'} wanted; ${agents}${isAsRecorded ? '' : ' (not as the operator recorded it)'}`;
  }
  // Their setting may be in a ConfigMap, or in etcd, which the API does not show.
  if (manifest !== undefined)
    return `installed by manifest; ${agentsWords(manifest.bpf, 'not verified: the API does not show if agents use eBPF')}`;
  return absent(status, 'Installation', 'no Installation');
}

/** What a row says without a value: of a kind that could not be read, not that the cluster lacks the object. */
function absent(status: ClusterStatus, kind: 'DaemonSet' | 'Installation', words: string): string {
  return isUnread(status, kind) ? `not verified: cannot read the ${kind}` : words;
}

function isUnread({ unknown }: ClusterStatus, kind: 'DaemonSet' | 'FelixConfiguration' | 'Installation'): boolean {
  return unknown.some((one) => one.kind === kind);
}

export function statusTable(
  status: ClusterStatus,
  runs: readonly ShownRun[],
  holder: LeaseHolder | null,
  terminal: Terminal,
  on: FlagsByProgram,
): string {
  const { paint, columns: width } = terminal;
  const { installation, manifest, agents, proxy } = status;
  const rows = [
    ['data plane', dataPlaneOf(status)],
    ['Calico', (installation ?? manifest)?.version ?? absent(status, 'Installation', 'version not known')],
    [
      'agents',
      agents
        ? `${agents.updated} of ${agents.desired} updated, ${agents.available} available`
        : absent(status, 'DaemonSet', 'none'),
    ],
    [
      'kube-proxy',
      proxy
        ? proxy.desired === 0
          ? 'off'
          : `${proxy.ready} of ${proxy.desired} ready`
        : absent(status, 'DaemonSet', 'no DaemonSet'),
    ],
  ];
  const components = status.components.map((one) => [
    paint(...signs[one.state]),
    one.name,
    one.current === false
      ? `speaks of generation ${one.observedGeneration}, the Installation is at ${installation?.generation}`
      : visibleLine(one.message ?? ''),
  ]);
  return [
    ...(isUnserved(status)
      ? [
          paint(
            'red',
            wrap(`No service proxy was found: kube-proxy is off, and the agents are configured without eBPF.`, width),
          ),
          `  \`${withClusterFlags('signalbox check --goal restore', on)}\` says what restores them.`,
          '',
        ]
      : []),
    columns(
      rows.map(([name, value]) => [paint('bold', name ?? ''), visibleLine(value ?? '')]),
      rowsWidth(terminal),
    ),
    ...(components.length > 0 ? ['', columns(components, rowsWidth(terminal))] : []),
    ...(status.unknown.length > 0 ? ['', ...unknownLines(status.unknown, terminal)] : []),
    ...(runs.length > 0
      ? [
          '',
          columns(
            runs
              .slice(0, 5)
              .map((run) => runInList(run, holder, terminal))
              .map(({ cells, about }) => [...cells, about]),
            rowsWidth(terminal),
          ),
        ]
      : []),
  ].join('\n');
}
