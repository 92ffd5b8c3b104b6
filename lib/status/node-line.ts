/** A node on one of the two tracks. */
export type NodeLine = {
  name: string;
  /** `bpf` only where it was seen. `moving`: its agent is being replaced. `fell-back`: the agent says that it cannot. `unknown`: nothing tells. */
  plane: 'standard' | 'bpf' | 'moving' | 'fell-back' | 'unknown' | 'not-counted';
  /** What the Node itself says (condition Ready), not its agent. */
  ready: boolean;
  /** A phrase: what was seen, or why it is not known. */
  because: string;
};
