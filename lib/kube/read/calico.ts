import { fields, flagOrNull, numberOrNull, textOrNull } from './lenient.ts';
import { metadata } from './metadata.ts';

/** Calico's own kinds: the library has no models of them. */

const installationSpec = fields({
  variant: textOrNull,
  kubernetesProvider: textOrNull,
  cni: fields({ type: textOrNull }),
  calicoNetwork: fields({ linuxDataplane: textOrNull, kubeProxyManagement: textOrNull }),
});

/** What is read of Installation `default`. `status.computed` has the defaults that `spec` may still lack. */
export const { parse: installationOf } = fields({
  metadata: fields({ generation: numberOrNull }),
  spec: installationSpec,
  status: fields({ calicoVersion: textOrNull, computed: installationSpec }),
});

const nodePrefix = 'node.';

/** The node that a FelixConfiguration of this name is for; null for one that is not for one node. */
export function nodeOfFelix(name: string): string | null {
  return name.startsWith(nodePrefix) ? name.slice(nodePrefix.length) : null;
}

/** What is read of a FelixConfiguration. `default` is for all nodes, `node.<name>` for one. */
export const { parse: felixOf } = fields({
  metadata,
  spec: fields({
    bpfEnabled: flagOrNull,
    nftablesMode: textOrNull,
    floatingIPs: textOrNull,
    logSeverityScreen: textOrNull,
    cgroupV2Path: textOrNull,
    interfacePrefix: textOrNull,
    /** Where the agent tells sidecars of policies about requests; empty or null: nowhere. */
    policySyncPathPrefix: textOrNull,
  }),
});
