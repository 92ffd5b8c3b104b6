import { hostAndPort } from '#lib/base/ip.ts';
import { counted, inList } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { runsAgent } from '#lib/spec/index.ts';
import type { Journal } from '../model/journal.ts';
import type { NodesProven } from '../model/node-times.ts';

/**
 * Findings that a working agent on eBPF settles, and what the agent has shown on its node: without it the agent would not start (operations.md ›
 * Proof of a node). `holds`: what must not have changed since. VXLAN, MTU, interfaces and VLAN tags are not here: an agent starts without the traffic
 * that they carry.
 */
const answeredByProof: Readonly<Record<string, { did: string; holds: 'system' | 'endpoint' }>> = {
  'node.bpf-loads': { did: 'loaded the eBPF programs', holds: 'system' },
  'node.mounts': { did: 'mounted what eBPF needs', holds: 'system' },
  'endpoint.reachable': { did: 'reached the API server at this endpoint', holds: 'endpoint' },
  'endpoint.certificate': { did: 'accepted the certificate at this endpoint', holds: 'endpoint' },
};

type Address = { host: string; port: string };
type Verified = NonNullable<Finding['verifiedBy']>;

/**
 * What the latest proof of each node says about a finding; in `stale`, why it no longer holds for all nodes. `upgrades`: of this cluster, running or
 * over. Null if no proof settles the finding. Pure.
 */
export function provenBy(
  { id, status }: Pick<Finding, 'id' | 'status'>,
  {
    nodes,
    release,
    cgroupFolder,
    endpoint,
  }: Pick<Facts, 'nodes'> & { release: string; cgroupFolder: string; endpoint: Address | null },
  proofs: readonly NodesProven[],
  upgrades: readonly Pick<Journal, 'run' | 'startedAt'>[],
): Verified | null {
  const answered = answeredByProof[id];
  const proof = proofs.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1);
  const agentNodes = nodes.filter(runsAgent);
  if (answered === undefined || status !== 'unknown' || proof === undefined || agentNodes.length === 0) return null;
  const { did, holds } = answered;
  const { run, at, under } = proof;
  if (holds === 'endpoint' && proof.endpoint === null) return null;
  const kernels = new Map(under?.kernels.flatMap(({ kernel, nodes: of }) => of.map((name) => [name, kernel] as const)));
  const missing = agentNodes.filter(
    ({ name, createdAt }) => !proof.nodes.has(name) || createdAt === null || Date.parse(createdAt) > Date.parse(at),
  );
  const renewed = agentNodes.filter(({ name, kernel }) => kernels.get(name) !== kernel);
  const upgrade = upgrades.find(({ startedAt }) => startedAt > at);
  const seen = agentNodes.length - missing.length;
  const otherSystem = () =>
    upgrade !== undefined
      ? `Run ${upgrade.run} changed the release since.`
      : missing.length > 0
        ? notSeen
        : under === undefined || under.release === null
          ? 'Its release is not known.'
          : under.release !== release
            ? `That was ${under.release}, and this is ${release}.`
            : renewed.length > 0
              ? `Another kernel since: ${inList(renewed.map(({ name }) => name))}.`
              : id === 'node.mounts' && under.cgroupFolder !== cgroupFolder
                ? 'The folder for cgroup2 may be another one since.'
                : null;
  const otherEndpoint = () =>
    proof.endpoint?.host !== endpoint?.host || proof.endpoint?.port !== endpoint?.port
      ? `That was ${proof.endpoint && hostAndPort(proof.endpoint)}.`
      : missing.length > 0
        ? notSeen
        : null;
  const notSeen = `Not seen then: ${inList(missing.map(({ name }) => name))}.`;
  const stale = holds === 'system' ? otherSystem() : otherEndpoint();
  if (seen === 0) return null;
  const on = stale === null ? `all ${counted(seen, 'node')}` : `${seen} of ${counted(agentNodes.length, 'node')}`;
  const because = `Run ${run} saw it: the agents of ${seen === 1 && stale === null ? 'the one node' : on} ${did}.`;
  return { run, at, because, stale };
}
