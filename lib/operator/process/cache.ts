import { isKubeError, type Kube, type KubeError, type KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

export type Cache = {
  /** Resolves when the first list came, or when the kind turned out not to be served (yet). */
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
  /** `null` before = it is new, `null` after = it is gone. Called for what a re-list changed, too. */
  onChange(before: KubeObject | null, after: KubeObject | null): void;
  /** The watch ended for good: the process cannot see any longer. */
  onLost(error: unknown): void;
  log(line: string, cause?: unknown): void;
};

/** The objects of one watch, folded. Keyed by name: one namespace, or a cluster-scoped kind. */
export function startCache(options: CacheOptions): Cache {
  const { kube, resource, signal, onChange } = options;
  const objects = new Map<string, KubeObject>();
  const { promise: known, resolve: nowKnown } = Promise.withResolvers<void>();

  const put = (after: KubeObject) => {
    const name = after.metadata.name ?? '';
    const before = objects.get(name) ?? null;
    objects.set(name, after);
    if (
      before?.metadata.resourceVersion !== after.metadata.resourceVersion ||
      before?.metadata.uid !== after.metadata.uid
    )
      onChange(before, after);
  };
  const drop = (name: string) => {
    const before = objects.get(name);
    if (objects.delete(name) && before) onChange(before, null);
  };

  const follow = async () => {
    const where = {
      signal,
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      ...(options.fieldSelector === undefined ? {} : { fieldSelector: options.fieldSelector }),
    };
    for await (const event of kube.watch(resource, where)) {
      switch (event.type) {
        case 'synced': {
          const present = new Set(event.objects.map((object) => object.metadata.name ?? ''));
          for (const name of [...objects.keys()]) if (!present.has(name)) drop(name);
          for (const object of event.objects) put(object);
          nowKnown();
          break;
        }
        case 'added':
        case 'modified':
          put(event.object);
          break;
        case 'deleted':
          drop(event.object.metadata.name ?? '');
          break;
        case 'interrupted':
          if (worthTelling(event.because))
            options.log(`watch of ${resource.plural} interrupted: ${event.because.message}`);
          nowKnown();
          break;
        case 'bookmark':
          break;
      }
    }
  };

  follow().then(nowKnown, (error: unknown) => {
    nowKnown();
    if (!signal.aborted && !isKubeError(error, 'aborted')) options.onLost(error);
  });

  return { known, all: () => [...objects.values()], get: (name) => objects.get(name) ?? null };
}

/** Kinds that are not installed are normal: APIServer, ImageSet … */
function worthTelling(because: KubeError): boolean {
  return because.code !== 'not-served';
}
