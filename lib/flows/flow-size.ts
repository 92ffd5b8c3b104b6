import type { Flow, PolicyHit } from './flow.ts';

/** What a flow takes beside its texts, about. */
const frame = 600;
const hitFrame = 150;

/** About how many characters a flow is as JSON: what bounds of memory count, as a tenant chooses how long names and labels are. */
export function flowSize({ from, to, policies }: Flow): number {
  let size = frame + from.name.length + to.name.length;
  for (const label of from.labels) size += label.length;
  for (const label of to.labels) size += label.length;
  for (const hit of policies.enforced) size += hitSize(hit);
  for (const hit of policies.pending) size += hitSize(hit);
  return size;
}

/** The first flows that fit into so many characters of JSON, about. */
export function fitting(flows: readonly Flow[], most: number): Flow[] {
  let size = 0;
  const tooMany = flows.findIndex((flow) => {
    size += flowSize(flow);
    return size > most;
  });
  return tooMany < 0 ? [...flows] : flows.slice(0, tooMany);
}

function hitSize({ name, namespace, tier, trigger }: Omit<PolicyHit, 'trigger'> & Partial<PolicyHit>): number {
  const own = hitFrame + name.length + tier.length + (namespace?.length ?? 0);
  return trigger ? own + hitSize(trigger) : own;
}
