import { counted, inList } from '#lib/base/words.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Journal, NodesProven } from '#lib/run/index.ts';
import { runsAgent } from '#lib/spec/index.ts';

/** Findings that a node's agent on eBPF answers, and what it has done there: it does not come up without (operations.md › Proof of a node). */
const answeredByProof: Readonly<Record<string, string>> = {
  'node.bpf-loads': 'loaded the eBPF programs',
  'node.mounts': 'mounted what eBPF needs',
};

type Verified = NonNullable<Finding['verifiedBy']>;

/**
 * What the latest of these proofs says of a finding: for each node, or, in `stale`, why no longer for all. `upgrades`: of this cluster, under way or over. Null where none answers it. Pure.
 */
export function provenBy(
  { id, status }: Pick<Finding, 'id' | 'status'>,
  { nodes, release, cgroupFolder }: Pick<Facts, 'nodes'> & { release: string; cgroupFolder: string },
  proofs: readonly NodesProven[],
  upgrades: readonly Pick<Journal, 'run' | 'startedAt'>[],
): Verified | null {
  const did = answeredByProof[id];
  const proof = proofs.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1);
  const asked = nodes.filter(runsAgent);
  if (did === undefined || status !== 'unknown' || proof === undefined || asked.length === 0) return null;
  const { run, at, under } = proof;
  const kernels = new Map(under?.kernels.flatMap(({ kernel, nodes: of }) => of.map((name) => [name, kernel] as const)));
  const missing = asked.filter(
    ({ name, createdAt }) => !proof.nodes.has(name) || createdAt === null || Date.parse(createdAt) > Date.parse(at),
  );
  const renewed = asked.filter(({ name, kernel }) => kernels.get(name) !== kernel);
  const upgrade = upgrades.find(({ startedAt }) => startedAt > at);
  const seen = asked.length - missing.length;
  const stale =
    upgrade !== undefined
      ? `Run ${upgrade.run} changed the release since.`
      : missing.length > 0
        ? `Not seen then: ${inList(missing.map(({ name }) => name))}.`
        : under === undefined || under.release === null
          ? 'Of which release is not known.'
          : under.release !== release
            ? `That was ${under.release}, and this is ${release}.`
            : renewed.length > 0
              ? `Another kernel since: ${inList(renewed.map(({ name }) => name))}.`
              : id === 'node.mounts' && under.cgroupFolder !== cgroupFolder
                ? 'The folder for cgroup2 may be another one since.'
                : null;
  if (seen === 0) return null;
  const on = stale === null ? `all ${counted(seen, 'node')}` : `${seen} of ${counted(asked.length, 'node')}`;
  const because = `Run ${run} saw it: the agents of ${seen === 1 && stale === null ? 'the one node' : on} ${did}.`;
  return { run, at, because, stale };
}
