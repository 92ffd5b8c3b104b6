/** A condition of a Node about its readiness, as kubelet and node lifecycle controller word it. */

export type NodeCondition = {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastHeartbeatTime: string;
  lastTransitionTime: string;
};

export const notReadyTaint = 'node.kubernetes.io/not-ready';
/**
 * The taint of a node without a network. While no node is Ready, the node lifecycle controller evicts no pods, so that no NoExecute taint stands
 * beside it.
 */
export const waitsForNetwork = { key: notReadyTaint, effect: 'NoSchedule' };

export function condition(type: string, status: string, reason: string, message: string, since: string): NodeCondition {
  return { type, status, reason, message, lastHeartbeatTime: since, lastTransitionTime: since };
}

/** Condition `Ready` of a node that lacks nothing, or only a network (containerd's words). */
export function readyCondition(hasNetwork: boolean, since: string): NodeCondition {
  return hasNetwork
    ? condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', since)
    : condition(
        'Ready',
        'False',
        'KubeletNotReady',
        'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
        since,
      );
}
