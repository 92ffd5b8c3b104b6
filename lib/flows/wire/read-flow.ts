import { hash } from 'node:crypto';
import { highestPort } from '#lib/base/network/ports.ts';
import { anything, fields, listOf, numberOrNull, text } from '#lib/kube/read/lenient.ts';
import {
  type EndKind,
  endKinds,
  type Flow,
  type FlowEnd,
  type PolicyHit,
  policyKinds,
  type Verdict,
  verdicts,
} from '../flow.ts';

/**
 * Texts in a flow come from workloads and their owners. Names are cut at the longest that Kubernetes allows, lists at what real flows have. A label
 * `key=value` has a prefix of 253, a name of 63 and a value of 63 characters.
 */
const longestName = 512;
const longestLabel = 400;
const mostLabels = 100;
/** Per end: tenants choose labels, and every flow of theirs carries them. */
const mostLabelCharacters = 4_000;
const mostHits = 20;
/**
 * The year 2100: a later time comes from a broken clock and is useless. Earlier wrong times are accepted, because flows are shown in the aggregator's
 * own time.
 */
const latestSeconds = 4_102_444_800;
/** A list sums up at most an hour. */
const longestSeconds = 7_200;

const hit = fields({
  kind: numberOrNull,
  namespace: text,
  name: text,
  tier: text,
  action: numberOrNull,
  policy_index: numberOrNull,
  rule_index: numberOrNull,
  trigger: anything,
});

const flow = fields({
  key: fields({
    source_name: text,
    source_namespace: text,
    source_type: numberOrNull,
    dest_name: text,
    dest_namespace: text,
    dest_type: numberOrNull,
    dest_port: numberOrNull,
    dest_service_name: text,
    dest_service_namespace: text,
    dest_service_port_name: text,
    proto: text,
    reporter: numberOrNull,
    action: numberOrNull,
    policies: fields({ enforced: listOf(anything), pending: listOf(anything) }),
  }),
  start_time: numberOrNull,
  end_time: numberOrNull,
  source_labels: listOf(text),
  dest_labels: listOf(text),
  packets_in: numberOrNull,
  packets_out: numberOrNull,
  bytes_in: numberOrNull,
  bytes_out: numberOrNull,
  connections_started: numberOrNull,
  connections_completed: numberOrNull,
  connections_live: numberOrNull,
});

/** A flow of a message; null without ends, verdict, or a possible time and port. */
export function readFlow(message: unknown): Flow | null {
  const { key, ...read } = flow.parse(message);
  const start = count(read.start_time);
  const verdict = verdictOf(key.action);
  const until = Math.max(start, count(read.end_time));
  if (start === 0 || until > latestSeconds || until - start > longestSeconds) return null;
  const port = count(key.dest_port);
  if (port > highestPort || verdict === null || (key.source_name === '' && key.dest_name === '')) return null;
  const made = {
    start,
    end: until,
    verdict,
    reporter: key.reporter === 2 ? ('destination' as const) : ('source' as const),
    from: end(key.source_type, key.source_namespace, key.source_name, read.source_labels),
    to: end(key.dest_type, key.dest_namespace, key.dest_name, read.dest_labels),
    protocol: name(key.proto).toUpperCase(),
    port,
    service:
      key.dest_service_name === '' || key.dest_service_name === '-'
        ? null
        : {
            namespace: namespace(key.dest_service_namespace),
            name: name(key.dest_service_name),
            portName: name(key.dest_service_port_name),
          },
    bytes: { in: count(read.bytes_in), out: count(read.bytes_out) },
    packets: { in: count(read.packets_in), out: count(read.packets_out) },
    connections: {
      started: count(read.connections_started),
      completed: count(read.connections_completed),
      live: count(read.connections_live),
    },
    policies: {
      enforced: key.policies.enforced.slice(0, mostHits).map(readHit),
      pending: key.policies.pending.slice(0, mostHits).map(readHit),
    },
  };
  return { id: `${made.start.toString(36)}-${keyHash(made)}`, ...made };
}

/** A hash of ends, port, verdict and policies, which ignores time, counts and labels. */
export function keyHash(of: Omit<Flow, 'id'>): string {
  const { verdict, reporter, from, to, protocol, port, service, policies } = of;
  const ends = [from, to].map(({ kind, namespace, name }) => [kind, namespace, name]);
  const text = JSON.stringify([verdict, reporter, ends, protocol, port, service, policies]);
  return hash('sha1', text, 'base64url').slice(0, 16);
}

export function readHit(message: unknown): PolicyHit {
  const { trigger, ...own } = hit.parse(message);
  const plain = plainHit(own);
  // A trigger has no trigger, so nesting is not followed further.
  return { ...plain, trigger: trigger === null || trigger === undefined ? null : plainHit(hit.parse(trigger)) };
}

function plainHit(own: Omit<ReturnType<typeof hit.parse>, 'trigger'>): Omit<PolicyHit, 'trigger'> {
  return {
    kind: policyKinds[own.kind ?? 0] ?? 'Unknown',
    namespace: namespace(own.namespace),
    name: name(own.name),
    tier: name(own.tier),
    action: verdictOf(own.action),
    policyIndex: Math.trunc(own.policy_index ?? 0),
    ruleIndex: Math.trunc(own.rule_index ?? 0),
  };
}

function end(type: number | null, inNamespace: string, named: string, labels: readonly string[]): FlowEnd {
  return {
    kind: endKindOf(type),
    namespace: namespace(inNamespace),
    name: name(named),
    labels: bounded(labels),
  };
}

/** The first labels that fit; `…` replaces the others. */
function bounded(labels: readonly string[]): string[] {
  const shown: string[] = [];
  let size = 0;
  for (const label of labels) {
    const one = cut(label, longestLabel);
    size += one.length;
    if (shown.length >= mostLabels || size > mostLabelCharacters) return [...shown, '…'];
    shown.push(one);
  }
  return shown;
}

const endKindOf = (type: number | null): EndKind => endKinds[(type ?? 0) - 1] ?? 'network';
const verdictOf = (action: number | null): Verdict | null => verdicts[(action ?? 0) - 1] ?? null;
const name = (given: string) => cut(given, longestName);
const namespace = (given: string) => (given === '' || given === '-' ? null : name(given));
const cut = (given: string, longest: number) => (given.length > longest ? `${given.slice(0, longest)}…` : given);
const count = (given: number | null) => (given !== null && given > 0 ? Math.trunc(given) : 0);
