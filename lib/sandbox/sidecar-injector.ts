import type { KubeObject } from '#lib/kube/index.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';

/** Where Istio's injector has what it adds to pods (calico.md §1.2 › alp). */
export const injector: ObjectRef = {
  resource: resources.configMaps,
  namespace: 'istio-system',
  name: 'istio-sidecar-injector',
};

/** The annotation by which a workload asks for its sidecar. */
const asks = 'sidecar.istio.io/inject';

export const wantsSidecar = ({ metadata }: KubeObject) => metadata.annotations?.[asks] === 'true';

/** As Istio's injector lets a new pod through: with the sidecar of application layer policy that its template names at this moment. */
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
