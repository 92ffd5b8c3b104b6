import { isInCidr } from '#lib/base/ip.ts';
import { isRecord } from '#lib/base/records.ts';
import type { Labels } from '#lib/base/selectors/calico-selector.ts';
import { meetsRequirement } from '#lib/base/selectors/label-requirement.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { anything, fields, listOf, numberOrNull, recordOrNull, text, textMap, texts } from '#lib/kube/read/lenient.ts';
import { type Answer, everyAnswer, some } from './answer.ts';
import type { WhyPolicy, WhyRule } from './policy.ts';
import { portMatches } from './port-matches.ts';
import { ofAddresses, type PolicyPod, type Traffic } from './traffic.ts';

/** Calico evaluates Kubernetes' NetworkPolicies in its tier default, all at this order (libcalico-go/lib/backend/k8s/conversion, read 2026-11-23). */
const order = 1000;

const specOf = fields({
  spec: fields({
    podSelector: recordOrNull,
    policyTypes: texts,
    stagedAction: text,
    ingress: listOf(anything),
    egress: listOf(anything),
  }),
});

/** Reads a NetworkPolicy of networking.k8s.io, or Calico's StagedKubernetesNetworkPolicy. */
export function readKubernetesPolicy(object: KubeObject): WhyPolicy {
  const { spec } = specOf.parse(object);
  const namespace = object.metadata.namespace ?? '';
  const types =
    spec.policyTypes.length > 0 ? spec.policyTypes : ['Ingress', ...(spec.egress.length > 0 ? ['Egress'] : [])];
  const isStaged = object.kind === 'StagedKubernetesNetworkPolicy';
  return {
    kind: 'NetworkPolicy',
    staged: !isStaged ? null : spec.stagedAction === 'Delete' ? 'delete' : 'set',
    namespace,
    name: object.metadata.name ?? '',
    tier: 'default',
    order,
    selects: (pod) => (pod.namespace === namespace ? selects(spec.podSelector ?? {}, pod.labels) : false),
    ingress: types.includes('Ingress') ? spec.ingress.map((rule) => readRule(rule, 'from', namespace)) : null,
    egress: types.includes('Egress') ? spec.egress.map((rule) => readRule(rule, 'to', namespace)) : null,
  };
}

const ruleOf = fields({ from: listOf(anything), to: listOf(anything), ports: listOf(anything) });
const peerOf = fields({
  podSelector: recordOrNull,
  namespaceSelector: recordOrNull,
  ipBlock: recordOrNull,
});
const portOf = fields({ port: anything, endPort: numberOrNull, protocol: text });
const blockOf = fields({ cidr: text, except: texts });

/** An empty list of peers, or of ports, means all (kubernetes.io › Network Policies). */
function readRule(value: unknown, side: 'from' | 'to', namespace: string): WhyRule {
  const rule = ruleOf.parse(value);
  const peers = rule[side];
  return {
    action: 'allowed',
    matches: (traffic) =>
      everyAnswer([
        peers.length === 0 ? true : some(peers.map((peer) => isPeer(peer, traffic[side], namespace))),
        rule.ports.length === 0 ? true : some(rule.ports.map((port) => isPort(port, traffic))),
      ]),
  };
}

function isPort(value: unknown, traffic: Traffic): Answer {
  const { port, endPort, protocol } = portOf.parse(value);
  if ((protocol || 'TCP') !== traffic.protocol) return false;
  if (port === undefined || port === null) return true;
  return portMatches(endPort !== null && typeof port === 'number' ? `${port}:${endPort}` : port, traffic);
}

function isPeer(value: unknown, pod: PolicyPod, namespace: string): Answer {
  const { podSelector, namespaceSelector, ipBlock } = peerOf.parse(value);
  if (ipBlock !== null) {
    const { cidr, except } = blockOf.parse(ipBlock);
    return ofAddresses(pod, (address) => isInCidr(address, cidr) && !except.some((hole) => isInCidr(address, hole)));
  }
  if (podSelector === null && namespaceSelector === null) return { unknown: 'it has a peer of another kind' };
  return everyAnswer([
    namespaceSelector === null
      ? pod.namespace === namespace
      : pod.namespaceLabels === null
        ? { unknown: `the labels of namespace ${pod.namespace} were not read` }
        : selects(namespaceSelector, pod.namespaceLabels),
    podSelector === null ? true : selects(podSelector, pod.labels),
  ]);
}

const selectorOf = fields({
  matchLabels: textMap,
  matchExpressions: listOf(fields({ key: text, operator: text, values: texts })),
});

function selects(selector: Record<string, unknown>, labels: Labels): Answer {
  if (Object.keys(selector).some((key) => key !== 'matchLabels' && key !== 'matchExpressions') || !isRecord(selector))
    return { unknown: 'its selector has a field of another kind' };
  const { matchLabels, matchExpressions } = selectorOf.parse(selector);
  return everyAnswer([
    ...Object.entries(matchLabels).map(([key, value]) => labels[key] === value),
    ...matchExpressions.map(
      (one): Answer =>
        meetsRequirement(one, labels[one.key]) ?? { unknown: `its selector has operator ${one.operator}` },
    ),
  ]);
}
