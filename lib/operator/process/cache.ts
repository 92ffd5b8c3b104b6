import { Informer, type InformerEvents, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

export type Cache = {
  /** Resolves when the first list has arrived, or when the kind turns out not to be served yet. */
  readonly known: Promise<void>;
  all(): KubeObject[];
  get(name: string): KubeObject | null;
};

export type CacheOptions = {
  kube: Kube;
  resource: Resource;
  namespace?: string;
  fieldSelector?: string;
  signal: AbortSignal;
  /** `before` is null for a new object, `after` for a deleted one. Also called for changes that a new list shows. */
  onChange(before: KubeObject | null, after: KubeObject | null): void;
  /** The watch ended for good, so that the process no longer sees changes. */
  onLost(error: unknown): void;
  log(line: string, cause?: unknown): void;
};

/** The objects of one watch, by name: those of one namespace, or of a kind without namespaces. */
export function startCache(options: CacheOptions): Cache {
  const { kube, resource, namespace, fieldSelector, signal, log } = options;
  const informer = new Informer((object) => object.metadata.name ?? '', {});
  const { promise: known, resolve: listed } = Promise.withResolvers<void>();
  const kind = {
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const events: InformerEvents = {
    changed: (after, before) => options.onChange(before, after),
    listed,
    interrupted: (because) => log(`watch of ${resource.plural} interrupted: ${because.message}`),
  };
  informer.follow(kube, kind, events, signal).then(listed, (error: unknown) => {
    listed();
    if (!signal.aborted && !isKubeError(error, 'aborted')) options.onLost(error);
  });
  return {
    known,
    all: () => informer.all().map(({ object }) => object),
    get: (name) => informer.all().find(({ shape }) => shape === name)?.object ?? null,
  };
}
