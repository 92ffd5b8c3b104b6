import type { Coverage, FactKey, Facts } from '#lib/facts/index.ts';
import type { Check, Result } from '../check.ts';
import { listed } from '../wording/sentences.ts';

const nothingRead: Coverage = { covered: false, missing: [] };

export function coverageOf(facts: Facts, key: FactKey): Coverage {
  return facts.coverage[key] ?? nothingRead;
}

export function isCovered(facts: Facts, ...keys: FactKey[]): boolean {
  return keys.every((key) => coverageOf(facts, key).covered);
}

/**
 * checks.md › Coverage: a check passes only if everything it reads was readable; one failing subject is enough to fail; otherwise *unknown*,
 * naming the kinds. The same for *skipped*: that something does not apply has to be known too.
 */
export function judgedByCoverage(check: Check, facts: Facts, result: Result): Result {
  if (result.kind === 'fail') return result;
  const needed = result.kind === 'unknown' ? check.reads : (result.restsOn ?? check.reads);
  const gap = gapIn(facts, needed);
  if (gap === null) return result;
  if (result.kind === 'unknown') return { ...result, because: `${result.because} ${gap}` };
  return { kind: 'unknown', because: gap };
}

/** A sentence that names the kinds that could not be read, each with the reason and the rule that is missing; null when all were. */
export function gapIn(facts: Facts, keys: readonly FactKey[]): string | null {
  const uncovered = keys.map((key) => ({ key, ...coverageOf(facts, key) })).filter(({ covered }) => !covered);
  if (uncovered.length === 0) return null;
  const kinds = uncovered.flatMap(({ key, missing }) =>
    missing.length > 0 ? missing.map(describe) : [`${factNames[key]} (not read)`],
  );
  return `Not known without ${listed([...new Set(kinds)], 6)}.`;
}

function describe({ kind, because, rule }: Coverage['missing'][number]): string {
  const reason = because.trim().replace(/[.\s]+$/, '');
  return `${kind} (${rule ? `${reason}; the rule that is missing: ${ruleName(rule)}` : reason})`;
}

type RuleName = NonNullable<Coverage['missing'][number]['rule']>;

/** `patch daemonsets.apps in kube-system`, as `kubectl auth can-i` would take it. */
export function ruleName({ verb, group, resource, subresource, namespace, name }: RuleName): string {
  const full = `${resource}${group === '' ? '' : `.${group}`}${subresource ? `/${subresource}` : ''}`;
  return `${verb} ${full}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
}

/** What each part of Facts is called when the collector could not say which kinds it lacked. */
const factNames: Record<FactKey, string> = {
  cluster: 'the cluster',
  serviceCIDRs: 'the service CIDR',
  platform: 'the platform',
  nodes: 'Node',
  installation: 'the installation',
  dataplane: 'the data plane',
  proxy: 'the service proxy',
  endpoint: "the API servers' addresses and the ClusterIP",
  clusterIPs: 'Service default/kubernetes',
  apiServers: "the API servers' addresses",
  endpointConfigMaps: 'ConfigMap',
  workloads: "the workloads' templates",
  pools: 'IPPool',
  felix: 'FelixConfiguration',
  tigeraStatuses: 'TigeraStatus',
  operator: "the operator's Deployment",
  ownership: "other tools' marks",
  helm: 'the Helm releases',
  access: 'your permissions',
  apis: 'the served APIs',
  endpointProbe: 'a connection to the endpoint',
  floatingIps: 'the floating IPs',
  sctp: 'the uses of SCTP',
  logActions: 'the policies',
  podCount: 'Pod',
  serviceCount: 'Service',
};
