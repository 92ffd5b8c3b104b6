import { proxyManagementSetting } from '../choices.ts';
import { names } from './names.ts';

// What a switch changes on objects that other tools may write too, from the object's root (operations.md › switch.bpf, felix.cleanup-flag,
// proxy.disable.daemonset).
export const dataplanePath = ['spec', 'calicoNetwork', 'linuxDataplane'];
/** Whether Calico's agent deletes the service proxy's rules (spec › Set cleanup flag). */
export const cleanupFlagPath = ['spec', 'bpfKubeProxyIptablesCleanupEnabled'];
export const proxySelectorPath = ['spec', 'template', 'spec', 'nodeSelector', names.nonCalicoSelector];

/** In Installation: whether the operator manages the proxy's DaemonSet (calico.md §3.6). */
export const proxyManagementPath = ['spec', ...proxyManagementSetting.split('.')];
