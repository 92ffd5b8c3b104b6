export { aNode, type NodeDescription } from './builders.ts';
export { aCluster } from './templates/cluster.ts';
export type { ClusterShape } from './templates/cluster-shape.ts';
export { type Template, templates } from './templates/index.ts';
export { normalTimings, type Timings } from './timings.ts';
export { answersAnnotation } from './workloads/answering-endpoints.ts';
export { holdAnnotation } from './workloads/kubelets.ts';
export { replicaSets } from './workloads/replica-set.ts';
export { type Simulation, type SimulationOptions, simulateWorkloads } from './workloads/simulate.ts';
