import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { type EffectiveEndpoint, endpointName } from '../reading/effective-endpoint.ts';
import { sameAddress } from '../reading/endpoint-host.ts';
import { agentNodes, nodeSubject } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

type Settled = Extract<Result, { kind: 'pass' | 'fail' | 'unknown' }>;

/**
 * Whether each node reaches the endpoint, from the host and, if there is a pod network, from a pod. Null if that was not measured for this address on
 * every node. Unknown if only pods cannot reach it. `wanted`: what a pass needs, a `connection` or also a `verified` certificate of this cluster.
 */
export function reachedFromNodes(
  facts: Facts,
  endpoint: EffectiveEndpoint,
  wanted: 'connection' | 'verified' = 'connection',
): Settled | null {
  const { measured } = facts;
  if (measured?.endpoint == null) return null;
  if (measured.endpoint.port !== endpoint.port || !sameAddress(measured.endpoint.host, endpoint.host)) return null;
  const nodes = agentNodes(facts);
  const outcomes = nodes.flatMap((node) => {
    const tests = measured.nodes.find((one) => one.node === node.name)?.tests;
    return tests ? [{ node, host: tests['endpoint-from-host'], pod: tests['endpoint-from-pod'] }] : [];
  });
  // Agents use the host's network, and a policy may apply to the test's namespace, so a node does not fail if only its pod cannot reach it.
  const failing = outcomes.flatMap(({ node, host, pod }) => {
    const failed = host.kind === 'not-run' ? pod : host;
    return failed.kind === 'failed' ? [nodeSubject(node, failed.because)] : [];
  });
  const evidence = [
    {
      object: 'probe',
      path: 'API address',
      value: `${nodes.length - failing.length} of ${counted(nodes.length, 'node')}`,
    },
  ];
  if (failing.length > 0)
    return {
      kind: 'fail',
      because: `${endpointName(endpoint)} does not answer on ${counted(failing.length, 'node')}: ${listed(
        failing.map(({ name }) => name),
        4,
      )}.`,
      subjects: failing,
      evidence,
    };
  const cutOff = outcomes.filter(({ host, pod }) => host.kind === 'passed' && pod.kind === 'failed');
  if (cutOff.length > 0)
    return {
      kind: 'unknown',
      because: `${endpointName(endpoint)} answers on the host of ${listed(
        cutOff.map(({ node }) => node.name),
        4,
      )}, and not in a pod there: a policy may drop it.`,
      evidence,
      restsOn: [],
    };
  if (nodes.length === 0 || outcomes.length < nodes.length || outcomes.some(({ host }) => host.kind !== 'passed'))
    return null;
  const isVerified = measured.nodes.every(({ asked }) => asked === undefined);
  if (wanted === 'verified' && !isVerified) return null;
  return {
    kind: 'pass',
    because: isVerified
      ? `${endpointName(endpoint)} answers on every node, with a certificate of this cluster.`
      : `${endpointName(endpoint)} takes connections from every node.`,
    evidence,
    restsOn: [],
  };
}
