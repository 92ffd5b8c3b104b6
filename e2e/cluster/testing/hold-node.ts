import { holdMark, type Plane } from '#e2e/controlplane/index.ts';
import { eventually } from './eventually.ts';

/** From now on pods that start on this node never become ready, until it is let go: a run stands in its next rollout for as long as a test needs. */
export async function holdNode({ api, state }: Plane, node: string): Promise<void> {
  await api.patch(`/api/v1/nodes/${node}`, { metadata: { annotations: { [holdMark]: 'true' } } });
  await eventually(`KWOK to hold ${node}`, async () => state().sentence.includes(`held on ${node}`));
}

/** Lets the one go that was held. */
export async function letNodeGo({ api, state }: Plane, node: string): Promise<void> {
  await api.patch(`/api/v1/nodes/${node}`, { metadata: { annotations: { [holdMark]: null } } });
  await eventually(`KWOK to let ${node} go`, async () => !state().sentence.includes('held'));
}
