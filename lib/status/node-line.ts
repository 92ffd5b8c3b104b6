/** A node on one of the two tracks. */
export type NodeLine = {
  name: string;
  /** `bpf` only where it was seen. `moving`: its agent is being replaced. `fell-back`: the agent says that it cannot. `unknown`: nothing tells. */
  plane: 'standard' | 'bpf' | 'moving' | 'fell-back' | 'unknown' | 'not-counted';
  /** What the Node itself says (condition Ready), not its agent. */
  ready: boolean;
  /** Its agent is not ready now, and `plane` is what it was on before. */
  agentAway?: true;
  /** A phrase: what was seen, or why it is not known. */
  because: string;
};
