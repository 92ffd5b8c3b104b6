import type { Flow, PolicyHit } from './flow.ts';

/** Characters of a flow and of a hit besides their texts, approximately. */
const frame = 600;
const hitFrame = 150;

/** The approximate length of a flow as JSON, in characters. Memory limits count it, because tenants choose the length of names and labels. */
export function flowSize({ from, to, policies }: Flow): number {
  let size = frame + from.name.length + to.name.length;
  for (const label of from.labels) size += label.length;
  for (const label of to.labels) size += label.length;
  for (const hit of policies.enforced) size += hitSize(hit);
  for (const hit of policies.pending) size += hitSize(hit);
  return size;
}

/** The first flows that fit into about `most` characters of JSON. */
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
