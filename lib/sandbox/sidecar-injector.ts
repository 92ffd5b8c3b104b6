import type { KubeObject } from '#lib/kube/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';

/** The ConfigMap with what Istio's injector adds to pods (calico.md §1.2 › alp). */
export const injector: ObjectRef = {
  resource: resources.configMaps,
  namespace: 'istio-system',
  name: 'istio-sidecar-injector',
};

/** The annotation by which a workload requests its sidecar. */
const asks = 'sidecar.istio.io/inject';

export const wantsSidecar = ({ metadata }: KubeObject) => metadata.annotations?.[asks] === 'true';

/** A new pod as Istio's injector changes it: with the sidecar of application layer policy in its present template. */
export function injected(pod: KubeObject, template: KubeObject | null): KubeObject {
  const [image] = /\S+\/dikastes:v[0-9.]+/.exec(JSON.stringify(template?.data ?? '')) ?? [];
  const spec = Object(pod.spec);
  const [first] = spec.containers ?? [];
  if (!wantsSidecar(pod) || image === undefined || first === undefined) return pod;
  const { ports: _ports, ...base } = first;
  const status = JSON.stringify({ containers: ['dikastes'], volumes: ['dikastes-sock'] });
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, 'sidecar.istio.io/status': status } },
    spec: { ...spec, containers: [...spec.containers, { ...base, name: 'dikastes', image }] },
  };
}
