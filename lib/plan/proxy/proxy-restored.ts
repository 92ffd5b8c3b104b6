/** Shared by the operations that turn the service proxy on again in an outage. */

export const restoreTitle = 'Turn kube-proxy on again';

export const restoreWhy =
  'Services are down where neither kube-proxy nor eBPF is on. This step ends when every node has kube-proxy’s rules.';

export const restoreWhenPaused =
  'kube-proxy may be back on some nodes only. Services answer there and on nodes with eBPF, and nowhere else.';

/** The undo waits for the proof first: turning the proxy off without eBPF on every node would bring the outage back. */
export const restoreUndoTitle = 'Turn kube-proxy off again, once eBPF is proven on every node';
