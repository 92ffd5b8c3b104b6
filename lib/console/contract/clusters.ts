import type { ShownRun } from '#lib/run/index.ts';
import type { Health } from '#lib/status/index.ts';
import type { KubeconfigNamed } from '#lib/text/index.ts';

/** `<slug>-<8 hex of sha256(kind, name)>`: the name of a cluster in URLs. */
export type Slug = string;

export type ClusterEntry = {
  slug: Slug;
  name: string;
  kind: 'kubeconfig' | 'in-cluster' | 'sandbox';
  /** `host:port`; null for sandboxes and broken entries. */
  server: string | null;
  /** The kubeconfig that has its context, for commands; null: kubectl's default, or no context. */
  kubeconfig: KubeconfigNamed | null;
  /** The kubeconfig's current context. */
  current: boolean;
  /** What a sandbox demonstrates, in one line. */
  shows: string | null;
  /** The gallery's heading for a sandbox; null for others. */
  group: string | null;
  /** The sandbox has a changed copy on disk. */
  kept: boolean;
  warnings: string[];
  /** Why the list sends it no request unasked, as a phrase (`KnownContext.notAsked`); null: it does. */
  notAsked: string | null;
  /** Why it cannot be used; null: it can. */
  problem: string | null;
};

export type Reach =
  | {
      kind: 'reachable';
      kubernetes: string | null;
      calico: string | null;
      /** As in an Installation; `standard` for agents of a manifest that are not on eBPF; null: unknown. */
      dataplane: string | null;
      health: Health;
      latencyMs: number;
      run: ShownRun | null;
      at: string;
    }
  | { kind: 'unreachable'; code: string; message: string; at: string }
  /** No request was sent: `because` as in ClusterEntry.notAsked. */
  | { kind: 'not-asked'; because: string };
