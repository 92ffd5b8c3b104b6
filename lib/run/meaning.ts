import type { PlannedOperation } from '#lib/plan/index.ts';

/** What it means for the cluster that a run stands still here: a pause is a safe place, and says why (operations.md › Waits). */
const meanings: Record<string, string> = {
  'endpoint.active':
    'Agents that have rolled out use the new API server address, the others the old one. A node whose agent does not become ready starts no new pods; pods that run keep their network.',
  'endpoint.restart-operator':
    'The operator may be restarting; the data plane does not depend on it. Traffic is as before.',
  'felix.cleanup-flag': 'Traffic is as before.',
  crds: 'Kinds may be there that nobody uses yet. Traffic is as before.',
  'operator.apply': 'The operator waits for an Installation. Traffic is as before.',
  'openshift.bundle': 'The operator waits for an Installation. Traffic is as before.',
  'cni.remove-aws-node':
    'The network of EKS may be on its way out. Pods that run keep their addresses; new ones wait until Calico runs.',
  'custom-resources':
    'The operator may be installing Calico while the service proxy still runs: services are handled as before.',
  'installation.available':
    'Calico is being installed while the service proxy still runs. Where an agent is not ready, new pods wait.',
  'switch.bpf':
    'The Installation may already ask for eBPF while the service proxy still runs and its rules are kept: both data planes live side by side.',
  'bpf.active':
    'Nodes change to eBPF while the service proxy still runs and its rules are kept (the cleanup flag is false): both data planes live side by side.',
  'proxy.disable.daemonset':
    'eBPF is proven on every node; the service proxy may be on its way out. Services are handled by eBPF.',
  'proxy.disable.openshift':
    'eBPF is proven on every node; the service proxy may be on its way out. Services are handled by eBPF.',
  'proxy.disable.managed':
    'eBPF is proven on every node; the service proxy may be on its way out. Services are handled by eBPF.',
  'proxy.instructions': 'eBPF is proven on every node and the service proxy still runs beside it; its rules are kept.',
};

export function meaningOf(operation: Pick<PlannedOperation, 'id' | 'effect'>, direction: 'forward' | 'undo'): string {
  if (direction === 'undo')
    return 'The way back is under way: the service proxy is asked back before eBPF is left, so services are handled by one of the two at any moment.';
  return (
    meanings[operation.id] ??
    (operation.effect === 'traffic' ? 'This step touches traffic and may be half-done.' : 'Traffic is as before.')
  );
}
