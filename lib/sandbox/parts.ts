/** Parts of sandboxes for clusters on a real API server (e2e/controlplane): node agents, and objects as platforms leave them. */
export { agentMark, isAgent, isProxy, proxyMark } from './agents/agent-pods.ts';
export { agentKinds, NodeAgents } from './agents/node-agents.ts';
export { memoryOnly, type NodeMemory } from './agents/node-memory.ts';
export { standard } from './templates/cluster.ts';
export { serviceSubnet } from './templates/cluster-shape.ts';
export { kubeadmObjects } from './templates/kubeadm.ts';
export { definitionOf, mirrorPod } from './templates/objects.ts';
export { openshiftObjects } from './templates/platforms/distributions.ts';
export { cachedResources, emptyClusterCache } from './workloads/cluster-cache.ts';
export { openshiftProxyDaemonSet, wantsProxy } from './workloads/openshift-proxy.ts';
export type { PodShape } from './workloads/shapes.ts';
export { WorkQueue } from './workloads/work-queue.ts';
