import { labelName } from '#lib/base/object-names.ts';
import type { Flow, FlowEnd } from '../flow.ts';
import { eachPairOnce } from '../once-a-pair.ts';
import { endName, ownerName } from '../query/end-names.ts';
import { identityOf, selectorOf } from './end-selector.ts';

/** An `enforced` policy immediately denies what it does not allow; a staged one only reports it. */
export type Stage = 'staged' | 'enforced';
export type WorkloadName = { readonly namespace: string; readonly name: string };

type Rule = {
  readonly action: 'Allow';
  readonly protocol: string;
  readonly source?: Peer;
  readonly destination?: Peer & { readonly ports?: readonly number[] };
};
type Peer = { readonly selector?: string; readonly namespaceSelector?: string };

/** `remarks`: sentences about what the policy could not express, and where it allows more than was seen. */
export type SuggestedPolicy = {
  readonly object: {
    readonly apiVersion: 'projectcalico.org/v3';
    readonly kind: 'StagedNetworkPolicy' | 'NetworkPolicy';
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: {
      readonly stagedAction?: 'Set';
      readonly tier: 'default';
      readonly selector: string;
      readonly types: readonly ('Ingress' | 'Egress')[];
      readonly ingress?: readonly Rule[];
      readonly egress?: readonly Rule[];
    };
  };
  readonly remarks: readonly string[];
  /** The number of the workload's flows. */
  readonly seen: number;
};

/**
 * Suggests a policy in the workload's namespace that allows exactly the traffic that was seen allowed, in the directions with such traffic. Denied
 * traffic is not allowed. Returns a sentence if there is no policy.
 */
export function suggestPolicy(flows: readonly Flow[], target: WorkloadName, stage: Stage): SuggestedPolicy | string {
  const ofTarget = flows.filter(({ from, to }) => isTarget(from, target) || isTarget(to, target));
  const name = `${target.namespace}/${target.name}`;
  if (!labelName.test(target.namespace)) return `${name} is not in a namespace that a cluster can have.`;
  if (ofTarget.length === 0) return `No flows of ${name} were seen: there is nothing to allow.`;
  const labels = commonLabels(ofTarget.flatMap(({ from, to }) => [from, to].filter((end) => isTarget(end, target))));
  const selector = selectorOf(identityOf(labels));
  if (selector === null) return `The pods of ${name} share no label that a policy could select them by.`;
  const allowed = eachPairOnce(ofTarget).filter(({ verdict }) => verdict !== 'denied');
  if (allowed.length === 0) return `All flows of ${name} were denied: there is nothing to allow.`;
  const remarks = new Set<string>();
  const ingress = rulesOf(
    allowed.flatMap(({ flow }) => (isTarget(flow.to, target) ? [flow] : [])),
    'from',
    target,
    remarks,
  );
  const egress = rulesOf(
    allowed.flatMap(({ flow }) => (isTarget(flow.from, target) ? [flow] : [])),
    'to',
    target,
    remarks,
  );
  const types = [
    ...(ingress.length > 0 ? ['Ingress' as const] : []),
    ...(egress.length > 0 ? ['Egress' as const] : []),
  ];
  if (types.length === 0)
    return `A policy of its namespace cannot express the flows of ${name}: ${[...remarks].join(' ')}`;
  return {
    object: {
      apiVersion: 'projectcalico.org/v3',
      kind: stage === 'staged' ? 'StagedNetworkPolicy' : 'NetworkPolicy',
      metadata: {
        name: `${target.name
          .replace(/[^a-z0-9-]/g, '-')
          .slice(0, 58)
          .replace(/^-+|-+$/g, '')}-seen`,
        namespace: target.namespace,
      },
      spec: {
        ...(stage === 'staged' ? { stagedAction: 'Set' as const } : {}),
        tier: 'default',
        selector,
        types,
        ...(ingress.length > 0 ? { ingress } : {}),
        ...(egress.length > 0 ? { egress } : {}),
      },
    },
    seen: ofTarget.length,
    remarks: [
      ...remarks,
      ...(ingress.length === 0 ? ['No incoming connections were seen: Ingress stays as it is.'] : []),
      ...(egress.length === 0 ? ['No outgoing connections were seen: Egress stays as it is.'] : []),
    ],
  };
}

const isTarget = (end: FlowEnd, { namespace, name }: WorkloadName) =>
  end.kind === 'workload' && end.namespace === namespace && (end.name === name || ownerName(end) === name);

/** Labels that all these ends have. They may come from several releases of the workload. */
function commonLabels(ends: readonly FlowEnd[]): readonly string[] {
  const [first, ...others] = ends;
  return (first?.labels ?? []).filter((label) => others.every(({ labels }) => labels.includes(label)));
}

/** One rule per end and protocol, with all its ports. */
function rulesOf(flows: readonly Flow[], way: 'from' | 'to', target: WorkloadName, remarks: Set<string>): Rule[] {
  const rules = new Map<string, { protocol: string; peer: Peer; ports: Set<number> }>();
  for (const flow of flows) {
    const end = flow[way];
    const protocol = protocols[flow.protocol.toUpperCase()];
    const peer = peerOf(end, target, remarks, way);
    if (protocol === undefined) remarks.add(`Protocol ${flow.protocol} is left out: Calico has no name for it.`);
    if (protocol === undefined || peer === null) continue;
    const key = JSON.stringify([protocol, peer]);
    const rule = rules.get(key) ?? { protocol, peer, ports: new Set<number>() };
    rules.set(key, rule);
    if (withPorts.has(protocol) && flow.port > 0) rule.ports.add(flow.port);
  }
  return [...rules]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { protocol, peer, ports }]) => {
      const sorted = [...ports].sort((a, b) => a - b);
      const dialled = sorted.length > 0 ? { ports: sorted } : {};
      const isPeer = Object.keys(peer).length > 0;
      if (way === 'to') {
        const destination = { ...peer, ...dialled };
        return { action: 'Allow', protocol, ...(Object.keys(destination).length > 0 ? { destination } : {}) };
      }
      return {
        action: 'Allow',
        protocol,
        ...(isPeer ? { source: peer } : {}),
        ...(sorted.length > 0 ? { destination: dialled } : {}),
      };
    });
}

/** Names of protocols in rules, by their upper-case form (docs.tigera.io › Network policy › EntityRule and Protocol, read 2026-11-24). */
const protocols: Readonly<Record<string, string>> = {
  TCP: 'TCP',
  UDP: 'UDP',
  SCTP: 'SCTP',
  ICMP: 'ICMP',
  ICMPV6: 'ICMPv6',
  UDPLITE: 'UDPLite',
};
const withPorts = new Set(['TCP', 'UDP', 'SCTP']);

/** The peer of a rule. `{}` selects everything; null: no rule can select it. */
function peerOf(end: FlowEnd, target: WorkloadName, remarks: Set<string>, way: 'from' | 'to'): Peer | null {
  const name = endName(end);
  if (end.kind === 'host') {
    remarks.add(`${name} is left out: rules select nodes by their addresses, which flow logs do not name.`);
    return null;
  }
  if (end.kind !== 'workload' || end.namespace === null || !labelName.test(end.namespace)) {
    remarks.add(
      `${name} is allowed as any address: flow logs name none ${way === 'from' ? 'that it comes from' : 'that it goes to'}.`,
    );
    return {};
  }
  const selector = selectorOf(identityOf(end.labels));
  if (selector === null)
    remarks.add(`${name} is allowed as all of its namespace: its pods have no label to select them by.`);
  const isOther = end.namespace !== target.namespace;
  return {
    selector: selector ?? 'all()',
    ...(isOther ? { namespaceSelector: `projectcalico.org/name == '${end.namespace}'` } : {}),
  };
}
