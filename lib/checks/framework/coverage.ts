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
  const gap = gapIn(facts, result.restsOn ?? check.reads);
  if (gap === null) return result;
  return { kind: 'unknown', because: result.kind === 'unknown' ? `${result.because} ${gap}` : gap };
}

/** A sentence that names the kinds that could not be read, each with the reason or the rule that is missing; null when all were. */
export function gapIn(facts: Facts, keys: readonly FactKey[]): string | null {
  const gaps = keys
    .map((key) => ({ key, ...coverageOf(facts, key) }))
    .filter(({ covered }) => !covered)
    .flatMap(({ key, missing }) => (missing.length > 0 ? missing : [{ kind: factNames[key], because: 'not read' }]));
  if (gaps.length === 0) return null;
  const kinds = [...Map.groupBy(gaps, ({ kind }) => kind)].map(([kind, same]) => {
    const reasons = [...new Set(same.map(reasonOf))];
    return `${kind} (${reasons.join('; ')})`;
  });
  return `Not known without ${listed(kinds, 6)}.`;
}

/** A refusal is told by its rule: that is what somebody can grant. */
function reasonOf({ because, rule }: Pick<Coverage['missing'][number], 'because' | 'rule'>): string {
  return rule ? `refused, the missing rule is ${ruleName(rule)}` : because.trim().replace(/[.\s]+$/, '');
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
