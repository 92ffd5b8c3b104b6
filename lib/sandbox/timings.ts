/** How long things take on a simulated node, in milliseconds of the sandbox's clock. A pair is a range, in which each pod has its own fixed value. */
export type Timings = {
  /** From a reason to act until a controller acts. */
  syncMs: number;
  bindMs: number;
  startMs: readonly [number, number];
  /** For pods with a readiness probe: from running until ready. */
  readyMs: readonly [number, number];
  /** How long a container tries to reach the API server before it ends with an error. */
  giveUpMs: number;
  /** How long a pod stays on a node that has lost its network. */
  evictMs: number;
  felixRestartMs: readonly [number, number];
  /** From the start of kube-proxy, or from the last deletion of its rules, until the rules are there. */
  proxySyncMs: number;
};

/** A pod takes 0.3 to 0.7 s: a rollout is long enough to watch, and enabling eBPF on six nodes takes less than 20 s. */
export const normalTimings: Timings = {
  syncMs: 25,
  bindMs: 20,
  startMs: [120, 260],
  readyMs: [120, 300],
  giveUpMs: 900,
  evictMs: 5_000,
  felixRestartMs: [300, 900],
  proxySyncMs: 400,
};
