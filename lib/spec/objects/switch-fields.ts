import { names } from './names.ts';

/** What a switch changes on objects that other tools may write too, as paths from the object's root (operations.md › switch.bpf, felix.cleanup-flag, proxy.disable.daemonset). */
export const switchFields = {
  dataplane: ['spec', 'calicoNetwork', 'linuxDataplane'],
  cleanup: ['spec', 'bpfKubeProxyIptablesCleanupEnabled'],
  proxySelector: ['spec', 'template', 'spec', 'nodeSelector', names.nonCalicoSelector],
};
