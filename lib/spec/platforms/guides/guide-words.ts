import type { PlatformKind } from '../../choices.ts';
import { platforms } from '../platforms.ts';

export const read = '2026-11-21';

/** Calico's own guide to a new cluster in eBPF mode. */
export const guide = 'tigera/docs calico/operations/ebpf/install.mdx';

export const daemonSet = 'DaemonSet kube-system/kube-proxy';

export const bySelector =
  'A nodeSelector that no node has, `non-calico: "true"`, in the template of DaemonSet kube-system/kube-proxy; taking it away brings the proxy back.';

/** The instructions of `platforms`. */
export function instructions(kind: PlatformKind): string {
  const { proxy } = platforms[kind];
  if (proxy.by !== 'instructions') throw new Error(`the proxy of ${kind} is not turned off by hand`);
  return proxy.text;
}

export const agentDefault = '/run/calico/cgroup, the agent’s own; nothing is to be set where it can be written';

export const probeCgroup = {
  unknown: 'Run a privileged pod on one node of each image: it makes the folder and mounts cgroup2 there.',
};

export const ownDns =
  'An address, or a name that the node’s own resolver knows; `dnsPolicy: Default`, or `dnsConfig.nameservers` with resolvers of the site, on Deployment tigera-operator.';

export const awsDns = '`dnsConfig.nameservers: [169.254.169.253]` on Deployment tigera-operator.';
export const notSupportedThere = 'eBPF mode is not supported there, although operator and agent accept it.';
