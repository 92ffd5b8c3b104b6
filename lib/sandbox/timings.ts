/** How long things take on a simulated node, in milliseconds of its clock. A pair is a range; each pod has its own place in it. */
export type Timings = {
  /** Between a reason to act and a controller's act. */
  syncMs: number;
  bindMs: number;
  startMs: readonly [number, number];
  /** For pods with a readiness probe. */
  readyMs: readonly [number, number];
  /** How long a container tries to reach the API server before it ends with an error. */
  giveUpMs: number;
  /** How long a pod stays on a node whose network is gone. */
  evictMs: number;
  felixRestartMs: readonly [number, number];
  /** From the start of kube-proxy, or from the moment at which nobody deletes its rules any more, until they are there. */
  proxySyncMs: number;
};

/** A pod takes 0.3 to 0.7 s: long enough to watch a rollout, short enough to enable eBPF on six nodes within 20 s. */
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
