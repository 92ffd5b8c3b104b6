import { fields, flagOrNull, numberOrNull, textOrNull } from './lenient.ts';
import { metadata } from './metadata.ts';

/** Calico's own kinds, which @kubernetes/client-node has no models of. */

const installationSpec = fields({
  variant: textOrNull,
  kubernetesProvider: textOrNull,
  cni: fields({ type: textOrNull }),
  calicoNetwork: fields({ linuxDataplane: textOrNull, kubeProxyManagement: textOrNull }),
});

/** The fields of Installation `default` that are read. `status.computed` has defaults that `spec` may lack. */
export const { parse: installationOf } = fields({
  metadata: fields({ generation: numberOrNull }),
  spec: installationSpec,
  status: fields({ calicoVersion: textOrNull, computed: installationSpec }),
});

const nodePrefix = 'node.';

/** The node that a FelixConfiguration of this name applies to; null if it applies to more than one. */
export function nodeOfFelix(name: string): string | null {
  return name.startsWith(nodePrefix) ? name.slice(nodePrefix.length) : null;
}

/** The fields of a FelixConfiguration that are read. `default` applies to all nodes, `node.<name>` to one. */
export const { parse: felixOf } = fields({
  metadata,
  spec: fields({
    bpfEnabled: flagOrNull,
    bpfKubeProxyIptablesCleanupEnabled: flagOrNull,
    nftablesMode: textOrNull,
    floatingIPs: textOrNull,
    logSeverityScreen: textOrNull,
    cgroupV2Path: textOrNull,
    interfacePrefix: textOrNull,
    /** Folder of the socket by which sidecars get application-layer policies; empty or null: off. */
    policySyncPathPrefix: textOrNull,
  }),
});
