import type { KubeObject } from '#lib/kube/index.ts';

/** The kinds that a node's services are made of, and those of policies, which are only counted. */
export type SourceKind = 'services' | 'slices' | 'nodes' | 'policies';

/** What a source tells. `object` null: it is gone. */
export type SourceSink = {
  /** `key`: namespace/name, with its kind in front where several are followed as one. */
  changed(kind: SourceKind, key: string, object: KubeObject | null): void;
  /** All of a kind was told once. Told again after each new list. */
  listed(kind: SourceKind): void;
  /** It cannot be read for now; what was known stays. */
  interrupted(kind: SourceKind, because: string): void;
};

/** Where a node learns what is wanted. Ends when the signal aborts; rejects where waiting cannot help. */
export type NodeSource = {
  readonly name: string;
  follow(sink: SourceSink, signal: AbortSignal): Promise<void>;
};
