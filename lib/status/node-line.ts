import type { Verdict } from '#lib/node-state/index.ts';

/** A node on one of the two tracks: what status says of it, and of the verdict what people see. `ready`: what the Node itself says, not its agent. */
export type NodeLine = { name: string; ready: boolean } & Pick<Verdict, 'plane' | 'because' | 'agentAway'>;
