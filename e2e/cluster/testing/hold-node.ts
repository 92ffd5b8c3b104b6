import { holdMark, type Plane } from '#e2e/controlplane/index.ts';
import { eventually } from './eventually.ts';

/** Keeps pods that start on this node from becoming ready until `letNodeGo`, so that a run stays in its next rollout. */
export async function holdNode({ api, state }: Plane, node: string): Promise<void> {
  await api.patch(`/api/v1/nodes/${node}`, { metadata: { annotations: { [holdMark]: 'true' } } });
  await eventually(`KWOK to hold ${node}`, async () => state().sentence.includes(`held on ${node}`));
}

/** Releases the node of `holdNode`. */
export async function letNodeGo({ api, state }: Plane, node: string): Promise<void> {
  await api.patch(`/api/v1/nodes/${node}`, { metadata: { annotations: { [holdMark]: null } } });
  await eventually(`KWOK to let ${node} go`, async () => !state().sentence.includes('held'));
}
