import type { PlatformKind } from '../../choices.ts';
import type { Known } from '../../unknown.ts';

/**
 * What an administrator must know about a platform, one row per setup; a kind of `platforms` can have several. `platforms` has what the product does by itself;
 * this has what the user must know, decide or do by hand.
 */
export type PlatformGuide = {
  readonly id: string;
  readonly kind: PlatformKind;
  readonly title: string;
  /** What distinguishes this setup. `platformSigns` has how the kind is recognised. */
  readonly tell: string;
  readonly ebpf: 'supported' | 'supported with limits' | 'not supported';
  readonly because: string;
  /** The API server's address that all nodes use, and why it stays the same (spec › Rules for the address). */
  readonly endpoint: { readonly host: string; readonly port: string; readonly stable: string };
  /** How the service proxy runs, and how to turn it off, or why that is impossible. */
  readonly proxy: { readonly runsAs: string; readonly off: string };
  /** Flags for creating the cluster, verbatim. */
  readonly createFlags: Known<readonly string[]>;
  /** The operator's default, or the value that must be set. */
  readonly flexVolumePath: Known<string>;
  readonly cni: { readonly bin: string; readonly conf: string };
  readonly cgroupPath: Known<string>;
  /** Installation spec.kubernetesProvider; `''`: none. */
  readonly provider: { readonly value: Provider; readonly by: 'detected' | 'set by hand' | 'none' };
  /** What prevents a deadlock between cluster DNS and a name as endpoint. */
  readonly dns: Known<string>;
  readonly notes: readonly { readonly text: string; readonly source: string }[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** The operator's enumeration (calico.md §2.1). */
export type Provider = '' | 'EKS' | 'GKE' | 'AKS' | 'OpenShift' | 'DockerEnterprise' | 'RKE2' | 'TKG' | 'Kind';
