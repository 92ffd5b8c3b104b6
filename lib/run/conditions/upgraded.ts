import { agreeing, thousands } from '#lib/base/words.ts';
import type { Condition } from '#lib/plan/index.ts';
import type { NodeState } from '../model/event.ts';
import { nodesByVersion } from '../proof/nodes-by-version.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects } from './data-plane-objects.ts';
import { installationAvailable } from './installation-available.ts';
import { workloadsRolledOut } from './manifest-upgraded.ts';
import type { Progress } from './progress.ts';

/**
 * The operator, the rollout and the agent of every counted node show this release. All three are needed: TigeraStatus says Available throughout an
 * upgrade (controlplane.md › Recordings 2), and a rollout is complete before the operator begins it, with the old release.
 */
export async function upgraded(
  { version, workloads }: Extract<Condition, { kind: 'upgraded' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { nodes, progress } = workloads
    ? await workloadsRolledOut({ version, workloads }, context)
    : await operatorDone(version, context);
  const counted = nodes.filter(({ state }) => state !== 'not-counted');
  const proven = counted.filter(({ state }) => state === 'proven').length;
  if (progress.kind === 'waiting') return { ...progress, nodes, done: proven, total: counted.length };
  if (progress.kind !== 'met') return { ...progress, nodes };
  if (proven === counted.length)
    return {
      kind: 'met',
      evidence: [...progress.evidence, ...counted.flatMap(({ evidence }) => evidence)].slice(0, 20),
      note: `${thousands(proven)} of ${thousands(counted.length)} ${agreeing(counted.length, 'node runs', 'nodes run')} ${version}`,
      nodes,
    };
  const open = counted.filter(({ state }) => state !== 'proven');
  return {
    kind: 'waiting',
    awaiting: `the agent of every node to be of ${version}: ${thousands(proven)} of ${thousands(counted.length)} ${agreeing(counted.length, 'is', 'are')}`,
    heldUpBy: open.slice(0, 20).map(subjectOf),
    nodes,
    done: proven,
    total: counted.length,
  };
}

async function operatorDone(version: string, context: ConditionContext) {
  const { daemonSet } = await dataPlaneObjects(context);
  const nodes = daemonSet ? await nodesByVersion(daemonSet, version, context) : [];
  return { nodes, progress: await installationAvailable({ kind: 'installation-available', version }, context) };
}

const subjectOf = ({ name, detail }: NodeState) => ({ kind: 'Node', namespace: null, name, detail });
