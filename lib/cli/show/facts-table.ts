import type { Evidence, Facts } from '#lib/facts/index.ts';
import { wasRead } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { columns, rowsWidth, type Terminal } from '../terminal/terminal.ts';

/** The facts on one page, with their evidence. */
export function factsTable(facts: Facts, terminal: Terminal): string {
  const { paint } = terminal;
  const width = rowsWidth(terminal);
  const { cluster, platform, installation, proxy, endpoint, nodes } = facts;
  const pools = facts.pools.map((pool) => `${pool.cidr} ${pool.encapsulation}`).join(', ');
  const rows: [string, string, Evidence[]][] = [
    ['cluster', `${cluster.name}, Kubernetes ${cluster.kubernetesVersion ?? 'of an unknown version'}`, []],
    ['services', cluster.serviceCIDRs.join(', ') || 'range not known', cluster.evidence],
    ['platform', platform.kind, platform.evidence],
    ['nodes', wasRead(facts, 'nodes') ? nodesInWords(nodes) : 'not read', []],
    [
      'Calico',
      `${installation.version ?? 'version not known'}, installed by ${installation.method}${installation.manifest ? ` (${installation.manifest})` : ''}`,
      installation.evidence,
    ],
    ['data plane', dataPlaneOf(installation.dataplane), []],
    [
      'service proxy',
      `${proxy.kind}, mode ${proxy.mode}, ${proxy.running === null ? 'not verified to run' : proxy.running ? 'running' : 'not running'}`,
      proxy.evidence,
    ],
    [
      'API endpoint',
      endpoint.configMap
        ? `${endpoint.configMap.host}:${endpoint.configMap.port} (${endpoint.configMap.namespace})`
        : endpoint.suggested
          ? `not set; proposed ${endpoint.suggested.host}:${endpoint.suggested.port}, ${endpoint.suggested.because}`
          : 'not set',
      [],
    ],
    ['API servers', endpoint.apiServers.join(', ') || 'not known', []],
    ['pools', wasRead(facts, 'pools') ? pools || 'none' : 'not read', []],
  ];
  for (const { object, path, value, before, run, evidence } of facts.resources.leftBehind)
    rows.push([
      'left behind',
      `${object} ${path.join('.')} is ${shorten(value)} since run ${run}, which ended before it was set back; before: ${shorten(before ?? 'unset')}`,
      evidence,
    ]);
  const uncovered = Object.entries(facts.coverage).filter(([, coverage]) => !coverage.covered);
  const evidence = rows.flatMap(([name, , list]) =>
    list
      .slice(0, 3)
      .map((one) => [
        paint('dim', name),
        paint('dim', visibleLine(`${one.object} ${one.path} = ${shorten(one.value)}`)),
      ]),
  );
  return [
    columns(
      rows.map(([name, value]) => [paint('bold', name), visibleLine(value)]),
      width,
    ),
    ...(evidence.length > 0 ? ['', paint('dim', 'Evidence (-o json has all):'), columns(evidence, width)] : []),
    ...(uncovered.length > 0
      ? [
          '',
          paint('violet', 'Not verified:'),
          ...uncovered.map(([key, coverage]) =>
            visibleLine(`  ${key}: ${coverage.missing.map((one) => `${one.kind} (${one.because})`).join('; ')}`),
          ),
        ]
      : []),
  ].join('\n');
}

function dataPlaneOf({ wanted, actual }: Facts['installation']['dataplane']): string {
  return `${wanted === null ? 'not set' : `wanted ${wanted}`}, actual ${actual}`;
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${text.slice(0, 60)} …` : text;
}

function nodesInWords(nodes: Facts['nodes']): string {
  const ready = nodes.filter((node) => node.ready).length;
  const waiting = nodes.filter(({ notReady }) => notReady?.waitsFor === 'network').length;
  const kernels = [...new Set(nodes.map((node) => node.kernel))];
  const withoutNetwork = waiting === 0 ? '' : `, ${waiting} without a network`;
  const kernelWords =
    kernels.length === 0 ? '' : `; kernels ${kernels.slice(0, 3).join(', ')}${kernels.length > 3 ? ' …' : ''}`;
  return `${nodes.length}, ${ready} ready${withoutNetwork}${kernelWords}`;
}
