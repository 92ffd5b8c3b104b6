import { fields, listOf, metadata, text, texts } from './lenient.ts';
import type { Query } from './query.ts';
import { picked } from './query.ts';
import { apiServerPodListings } from './sources.ts';
import { flagOf, versionOfImage } from './workload.ts';

const pod = fields({
  metadata,
  spec: fields({ containers: listOf(fields({ name: text, image: text, command: texts, args: texts })) }),
});

/** An API server that runs as a static pod, and what its flags say. */
export type ApiServerPod = {
  readonly object: string;
  readonly version: string | null;
  readonly serviceCidrs: readonly string[];
  readonly issuer: string | null;
};

const [first, second] = apiServerPodListings.map((listing) =>
  picked(listing, (object): ApiServerPod | null => {
    const { metadata: meta, spec } = pod.parse(object);
    const server = spec.containers.find(({ name }) => name === 'kube-apiserver');
    if (!server) return null;
    const command = [...server.command, ...server.args];
    return {
      object: `${meta.namespace ?? ''}/Pod/${meta.name}`,
      version: versionOfImage(server.image),
      serviceCidrs: (flagOf(command, 'service-cluster-ip-range') ?? '').split(',').filter((cidr) => cidr !== ''),
      issuer: flagOf(command, 'service-account-issuer'),
    };
  }),
) as [Query<ApiServerPod[]>, Query<ApiServerPod[]>];

export const apiServerPods: Query<ApiServerPod[]> = {
  rules: first.rules,
  enlist: (session) => {
    const fetches = [first.enlist(session), second.enlist(session)];
    return async () => {
      const read = await Promise.all(fetches.map((fetch) => fetch()));
      return { value: read.flatMap(({ value }) => value), missing: read[0]?.missing ?? [] };
    };
  },
};
