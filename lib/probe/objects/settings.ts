import type { Partners } from '../partners/partners.ts';

type HostAndPort = { readonly host: string; readonly port: string };

export type ProbeSettings = {
  /** From 256 to 65535, different for each preflight: names of devices, test addresses and VXLAN numbers are derived from it. */
  readonly run: number;
  readonly image: string;
  readonly endpoint: HostAndPort | null;
  /** At their ClusterIPs; left out: none is known. */
  readonly services?: { readonly api: HostAndPort | null; readonly dns: HostAndPort | null };
  /** Addresses of the API servers behind the API's Service; left out: none is known. */
  readonly apiServers?: readonly HostAndPort[];
  /** The IPv4 address of each node, in the order of the question; null: it has none. */
  readonly addresses: readonly (string | null)[];
  /** The IPv6 address of each node, if Calico uses VXLAN between these too; left out: it does not. */
  readonly addressesV6?: readonly (string | null)[];
  readonly vxlanPort: number;
  /** Whether to send packets with another node's address, which networks may take for an attack. */
  readonly dsr?: boolean;
  /** The folder in which Calico mounts cgroup2. */
  readonly cgroupFolder: string;
  /** The folder that the agent's pod creates; left out: none, or it exists. */
  readonly flexVolumeFolder?: string;
  /** Labels of the nodes to test; empty: all nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /**
   * How DaemonSets select their nodes: by these labels and Linux's, or by `names`, where a node's label is wrong about its system, or an untested node
   * has the labels. Left out: by labels.
   */
  readonly select?: 'labels' | 'names';
  /** Who tests with whom, by index in `addresses`; left out: all are one group. */
  readonly partners?: Partners;
  /** Names of the nodes in the same order; required if there are several groups, or if DaemonSets select nodes by them. */
  readonly names?: readonly string[];
  /** Whether there is a pod network. */
  readonly podNetwork: 'there' | 'not-yet';
  /** Further images of the plan: they are pulled, but not run. */
  readonly images?: readonly string[];
  /** Secrets for pulling, which are copied under the same name into the probe's namespace. */
  readonly pullSecrets?: readonly PullSecret[];
};

export type PullSecret = { readonly namespace: string; readonly name: string };
