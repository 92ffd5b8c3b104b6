/** Ids of operations.md that a fix of the catalogue may name. */
export const catalogueFixes: ReadonlySet<string> = new Set([
  'endpoint.configmap',
  'operator.dns',
  'proxy.ipvs-to-iptables',
  'felix.cleanup-flag',
  'felix.annotation',
  'felix.options',
  'proxy.forget-kubeadm',
  'installation.options',
  'service.nat-exclude',
  'switch.bpf.helm',
]);

/** Also fixes that depend on the facts: how the proxy was turned off decides how it is restored. */
export const fixes: ReadonlySet<string> = new Set([...catalogueFixes, 'proxy.restore', 'proxy.restore.openshift']);
