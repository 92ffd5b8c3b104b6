import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { sameAddress } from '../reading/address.ts';
import { endpointName, type JudgedEndpoint } from '../reading/judged-endpoint.ts';
import { agentNodes, nodeSubject } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

type Settled = Extract<Result, { kind: 'pass' | 'fail' }>;

/**
 * Whether each node reaches the endpoint, from the host and, where there is a pod network, from a pod; null where that was not measured for this
 * address, or not on every node. `verified`: a pass has seen a certificate of this cluster everywhere; else a connection is enough.
 */
export function reachedFromNodes(
  facts: Facts,
  endpoint: JudgedEndpoint,
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
  const failing = outcomes.flatMap(({ node, host, pod }) => {
    const failed = [host, pod].find(({ kind }) => kind === 'failed');
    return failed !== undefined && failed.kind !== 'passed' ? [nodeSubject(node, failed.because)] : [];
  });
  const evidence = [
    { object: 'probe', path: 'API address', value: `${nodes.length - failing.length} of ${nodes.length} nodes` },
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
