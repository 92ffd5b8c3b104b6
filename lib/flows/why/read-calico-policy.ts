import { isInCidr } from '#lib/base/ip.ts';
import { isRecord } from '#lib/base/records.ts';
import { calicoSelector, type Labels } from '#lib/base/selectors/calico-selector.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { anything, fields, listOf, numberOrNull, text, texts } from '#lib/kube/read/lenient.ts';
import { type Answer, everyAnswer, not, some } from './answer.ts';
import type { RuleAction, WhyPolicy, WhyRule, WhyTier } from './policy.ts';
import { portMatches } from './port-matches.ts';
import { ofAddresses, type PolicyPod, selectorLabels, type Traffic } from './traffic.ts';

/**
 * Reads policies of projectcalico.org/v3 by Calico's reference (docs.tigera.io › reference › resources › networkpolicy). The reference does not say
 * how an agent evaluates every case, and Felix's source was not available: where it leaves a case open, the answer is unknown. A rule with an unknown
 * field is unknown too, so that it never matches by mistake.
 */
const specOf = fields({
  spec: fields({
    tier: text,
    order: numberOrNull,
    selector: text,
    namespaceSelector: text,
    serviceAccountSelector: text,
    types: texts,
    stagedAction: text,
    ingress: listOf(anything),
    egress: listOf(anything),
    preDNAT: anything,
    doNotTrack: anything,
  }),
});

const tierOf = fields({ spec: fields({ order: numberOrNull, defaultAction: text }) });

export function readTier(object: KubeObject): WhyTier {
  const { order, defaultAction } = tierOf.parse(object).spec;
  const name = object.metadata.name ?? '';
  return { name, order: order ?? Number.POSITIVE_INFINITY, atEnd: defaultAction === 'Pass' ? 'passed' : 'denied' };
}

/** Reads a NetworkPolicy, GlobalNetworkPolicy or a staged one of projectcalico.org/v3. Null: it does not apply to pods. */
export function readCalicoPolicy(object: KubeObject): WhyPolicy | null {
  const { spec } = specOf.parse(object);
  // These apply only to host endpoints, before all tiers.
  if (spec.preDNAT === true || spec.doNotTrack === true) return null;
  const namespace = object.metadata.namespace ?? null;
  const kind = object.kind ?? '';
  const isStaged = kind.startsWith('Staged');
  const types = typesOf(spec);
  const rules = (list: unknown[]) => list.map((rule) => readRule(rule, namespace));
  return {
    kind: namespace === null ? 'GlobalNetworkPolicy' : 'CalicoNetworkPolicy',
    staged: !isStaged ? null : spec.stagedAction === 'Delete' ? 'delete' : 'set',
    namespace,
    name: object.metadata.name ?? '',
    tier: spec.tier || 'default',
    order: spec.order ?? Number.POSITIVE_INFINITY,
    selects: (pod) =>
      namespace !== null && pod.namespace !== namespace
        ? false
        : everyAnswer([
            selected(spec.selector, selectorLabels(pod)),
            namespace !== null ? true : inNamespaces(spec.namespaceSelector, pod),
            ofAccount(spec.serviceAccountSelector, pod),
          ]),
    ingress: types.includes('Ingress') ? rules(spec.ingress) : null,
    egress: types.includes('Egress') ? rules(spec.egress) : null,
  };
}

/** The default of `types`: the directions with rules, and ingress if there are none. */
function typesOf({ types, ingress, egress }: { types: string[]; ingress: unknown[]; egress: unknown[] }): string[] {
  if (types.length > 0) return types;
  if (egress.length === 0) return ['Ingress'];
  return ingress.length === 0 ? ['Egress'] : ['Ingress', 'Egress'];
}

const actions: Readonly<Record<string, RuleAction>> = { Allow: 'allowed', Deny: 'denied', Pass: 'passed', Log: 'log' };
const ruleFields = new Set([
  ...['action', 'metadata', 'ipVersion', 'protocol', 'notProtocol', 'icmp', 'notICMP', 'source', 'destination', 'http'],
]);
const entityFields = new Set([
  ...['nets', 'notNets', 'selector', 'notSelector', 'namespaceSelector', 'ports', 'notPorts', 'serviceAccounts'],
  'services',
]);

const ruleOf = fields({
  action: text,
  ipVersion: numberOrNull,
  protocol: anything,
  notProtocol: anything,
  icmp: anything,
  notICMP: anything,
  http: anything,
  source: anything,
  destination: anything,
});

const entityOf = fields({
  nets: texts,
  notNets: texts,
  selector: text,
  notSelector: text,
  namespaceSelector: text,
  ports: listOf(anything),
  notPorts: listOf(anything),
  serviceAccounts: fields({ names: texts, selector: text }),
  services: anything,
});

function readRule(value: unknown, namespace: string | null): WhyRule {
  const rule = ruleOf.parse(value);
  const strange = [
    ...strangeField(value, ruleFields),
    ...[rule.source, rule.destination].flatMap((entity) => strangeField(entity, entityFields)),
  ];
  const source = entityOf.parse(rule.source);
  const destination = entityOf.parse(rule.destination);
  return {
    action: actions[rule.action] ?? null,
    matches: (traffic) =>
      everyAnswer([
        given(rule.protocol) ? isProtocol(rule.protocol, traffic) : true,
        given(rule.notProtocol) ? not(isProtocol(rule.notProtocol, traffic)) : true,
        rule.ipVersion === null ? true : isVersion(rule.ipVersion, traffic.from),
        isEntity(source, traffic.from, namespace),
        isEntity(destination, traffic.to, namespace),
        destination.ports.length === 0 ? true : some(destination.ports.map((port) => portMatches(port, traffic))),
        not(some(destination.notPorts.map((port) => portMatches(port, traffic)))),
        source.ports.length + source.notPorts.length > 0 ? unknown('it asks for the port of the source') : true,
        given(rule.icmp) || given(rule.notICMP) ? unknown('it asks for ICMP') : true,
        given(rule.http) ? unknown('it asks for HTTP') : true,
        ...strange.map((name) => unknown(`it has field ${name}`)),
      ]),
  };
}

const given = (value: unknown) => value !== undefined && value !== null;
const unknown = (because: string): Answer => ({ unknown: because });

function strangeField(value: unknown, known: ReadonlySet<string>): string[] {
  if (!given(value)) return [];
  return isRecord(value) ? Object.keys(value).filter((key) => !known.has(key)) : ['of another type'];
}

/** IANA's protocol numbers, by Calico's names. */
const protocolNumbers: Readonly<Record<string, number>> = {
  ICMP: 1,
  TCP: 6,
  UDP: 17,
  ICMPV6: 58,
  SCTP: 132,
  UDPLITE: 136,
};

function isProtocol(protocol: unknown, traffic: Traffic): Answer {
  const named = typeof protocol === 'string' && /^\d+$/.test(protocol) ? Number(protocol) : protocol;
  if (typeof named === 'number') return named === protocolNumbers[traffic.protocol];
  return typeof named === 'string' ? named.toUpperCase() === traffic.protocol : unknown('its protocol is not a name');
}

const isVersion = (version: number, pod: PolicyPod): Answer =>
  ofAddresses(pod, (address) => (address.includes(':') ? 6 : 4) === version);

type Entity = ReturnType<typeof entityOf.parse>;

/** A pod selector without a namespace selector applies, in a namespaced policy, only to that namespace; `notSelector` applies to all. */
function isEntity(entity: Entity, pod: PolicyPod, namespace: string | null): Answer {
  const { names, selector: accounts } = entity.serviceAccounts;
  const asksPods = entity.selector !== '' || names.length > 0 || accounts !== '';
  const bySelector = everyAnswer([
    entity.namespaceSelector !== ''
      ? inNamespaces(entity.namespaceSelector, pod)
      : namespace === null || !asksPods || pod.namespace === namespace,
    selected(entity.selector, selectorLabels(pod)),
    names.length === 0 || names.includes(pod.serviceAccount),
    ofAccount(accounts, pod),
  ]);
  const byNot = entity.notSelector === '' ? false : selected(entity.notSelector, selectorLabels(pod));
  const orItsSet = (answer: Answer): Answer =>
    answer === false && pod.inNetworkSet ? unknown('a network set holds the address of the pod') : answer;
  return everyAnswer([
    asksPods || entity.namespaceSelector !== '' ? orItsSet(bySelector) : true,
    entity.notSelector === '' ? true : not(orItsSet(byNot)),
    entity.nets.length === 0 ? true : isIn(entity.nets, pod),
    entity.notNets.length === 0 ? true : not(isIn(entity.notNets, pod)),
    given(entity.services) ? unknown('it asks for a Service') : true,
  ]);
}

const isIn = (nets: readonly string[], pod: PolicyPod): Answer =>
  ofAddresses(pod, (address) => nets.some((net) => isInCidr(address, net)));

function selected(selector: string, labels: Labels): Answer {
  const matches = calicoSelector(selector);
  // `global()` selects what has no namespace; `pcns.` and `pcsa.` are Calico's internal prefixes for labels that may not have been read.
  if (matches === null || /global\(|pcns\.|pcsa\./.test(selector))
    return unknown(`its selector cannot be read: ${selector}`);
  return matches(labels);
}

function inNamespaces(selector: string, pod: PolicyPod): Answer {
  if (selector === '') return true;
  return pod.namespaceLabels === null
    ? unknown(`the labels of namespace ${pod.namespace} were not read`)
    : selected(selector, { ...pod.namespaceLabels, 'projectcalico.org/name': pod.namespace });
}

function ofAccount(selector: string, pod: PolicyPod): Answer {
  if (selector === '') return true;
  return pod.serviceAccountLabels === null
    ? unknown(`the labels of ServiceAccount ${pod.serviceAccount} were not read`)
    : selected(selector, { ...pod.serviceAccountLabels, 'projectcalico.org/name': pod.serviceAccount });
}
