import { withoutStop } from '#lib/base/words.ts';
import type { Coverage, FactKey, Facts } from '#lib/facts/index.ts';
import type { Check, Result } from '../check.ts';
import type { Finding } from '../findings.ts';
import { listed } from '../wording/sentences.ts';
import { type Missing, ruleName } from './missing.ts';
import { isWithheld, remedyOfUnknown } from './remedy-of-unknown.ts';

const nothingRead: Coverage = { covered: false, missing: [] };

function coverageOf(facts: Facts, key: FactKey): Coverage {
  return facts.coverage[key] ?? nothingRead;
}

/** Whether all of these facts were read without gaps. */
export function isCovered(facts: Facts, ...keys: FactKey[]): boolean {
  return keys.every((key) => coverageOf(facts, key).covered);
}

/**
 * The result of a check with regard to what was read (checks.md › Coverage). A pass or a skip needs everything that the check reads, else it becomes
 * *unknown* and names the missing kinds. One failing subject is enough to fail.
 */
export function withCoverage(check: Check, facts: Facts, result: Result): Result {
  if (result.kind === 'fail') return result;
  const keys = result.restsOn ?? check.reads;
  const gaps = gapsIn(facts, keys);
  if (gaps.length === 0) return result;
  const gap = notRead(gaps);
  // Checks that read the endpoint probe have their own remedy if no connection was tried.
  const fixable = gapsIn(
    facts,
    keys.filter((key) => key !== 'endpointProbe'),
  );
  const remedy = ('remedy' in result && result.remedy) || check.remedy;
  return {
    kind: 'unknown',
    because: result.kind === 'unknown' ? `${result.because} ${gap}` : gap,
    remedy: remedyOfUnknown({ id: check.id, remedy }, fixable, facts),
    ...withheldOf(gaps, facts),
  };
}

function withheldOf(gaps: readonly Missing[], facts: Facts): Pick<Finding, 'withheld'> {
  const withheld = gaps.filter((one) => isWithheld(one, facts));
  if (withheld.length === 0) return {};
  return { withheld: withheld.map(({ kind, rule }) => ({ kind, ...(rule ? { rule } : {}) })) };
}

function gapsIn(facts: Facts, keys: readonly FactKey[]): Missing[] {
  return keys
    .map((key) => ({ key, ...coverageOf(facts, key) }))
    .filter(({ covered }) => !covered)
    .flatMap(({ key, missing }) => (missing.length > 0 ? missing : [{ kind: factNames[key], because: 'not read' }]));
}

/** A sentence with the kinds that could not be read, grouped by reason or missing rule. */
function notRead(gaps: readonly Missing[]): string {
  const reasons = Map.groupBy(
    [...Map.groupBy(gaps, ({ kind }) => kind)].map(([kind, same]) => ({
      kind,
      reason: [...new Set(same.map(reasonOf))].join('; '),
    })),
    ({ reason }) => reason,
  );
  const causes = [...reasons].map(([reason, same]) => `${listed(same.map(({ kind }) => kind))} (${reason})`);
  return `Not read: ${listed(causes, 6)}.`;
}

/** The reason of a missing kind; for a refusal its rule, which somebody can grant. */
function reasonOf({ because, rule }: Missing): string {
  return rule ? `refused, the missing rule is ${ruleName(rule)}` : withoutStop(because.trim());
}

/** Names of the parts of Facts, for collectors that cannot name the missing kinds. */
const factNames: Record<FactKey, string> = {
  cluster: 'the cluster',
  serviceCIDRs: 'the service CIDR',
  podCIDRs: 'the pod CIDR',
  platform: 'the platform',
  provider: 'the provider',
  nodes: 'Node',
  agents: 'where agents of Calico can land',
  installation: 'the installation',
  otherNetworks: 'the DaemonSets of other networks',
  unfinished: 'the parts of an installation',
  dataplane: 'the data plane',
  proxy: 'the service proxy',
  endpoint: "the API servers' addresses and the ClusterIP",
  clusterIPs: 'Service default/kubernetes',
  clusterServices: "the API's Service and cluster DNS",
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
  webhooks: 'the webhooks',
  kubeVip: 'kube-vip',
  endpointProbe: 'a connection to the endpoint',
  floatingIps: 'the floating IPs',
  sctp: 'the uses of SCTP',
  logActions: 'the policies',
  hostPorts: 'the host ports',
  trafficLimits: 'the traffic limits of pods',
  loadBalancers: 'the load balancers',
  nodeLocalDns: 'the DNS cache of the nodes',
  meshes: 'the service meshes',
  l7Logs: 'the L7 logs',
  applicationLayerPolicies: 'the application layer policies',
  waf: 'the web application firewall',
  adminNetworkPolicies: 'AdminNetworkPolicy',
  podCount: 'Pod',
  serviceCount: 'Service',
  imageSets: 'ImageSet',
  definitions: "Calico's CustomResourceDefinitions",
  ownerReferences: 'the owner references of all objects',
  hostEndpoints: 'HostEndpoint',
  upgradePolicies: "Calico's policies",
  calicoctls: 'the pods that run calicoctl',
  sidecars: 'the sidecars of application layer policy',
  rollouts: 'how the workloads of Calico are rolled out',
  users: 'the workloads of kube-system',
  manifestConfig: "the manifest's ConfigMap",
};
