import type { KubeObject } from '#lib/kube/index.ts';
import { type ObjectRef, objectId } from '#lib/spec/index.ts';
import { nodesByVersion } from '../proof/nodes-by-version.ts';
import type { ConditionContext } from './context.ts';
import { type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/** Every workload of an installation by manifest has rolled out. `nodes`: the release that each node's agent runs, for `upgraded`. The first workload is the agent's. */
export async function workloadsRolledOut(
  { version, workloads }: { version: string; workloads: readonly ObjectRef[] },
  context: ConditionContext,
): Promise<{ progress: Progress; nodes: Awaited<ReturnType<typeof nodesByVersion>> }> {
  const found = await Promise.all(
    workloads.map(async (target) => ({ target, object: await context.kube.get(target, { signal: context.signal }) })),
  );
  const [agents] = found;
  const nodes = agents?.object ? await nodesByVersion(agents.object, version, context) : [];
  return { nodes, progress: await awaited(found, context) };
}

async function awaited(
  found: readonly { target: ObjectRef; object: KubeObject | null }[],
  context: ConditionContext,
): Promise<Progress> {
  for (const { target, object } of found) {
    if (object === null) return waiting(`${objectId(target)} to exist`);
    const rolling = await rollingOut(object, context);
    if (rolling) return rolling;
  }
  return {
    kind: 'met',
    evidence: found.map(({ target }) => ({ object: objectId(target), path: 'status', value: 'rolled out' })),
  };
}
