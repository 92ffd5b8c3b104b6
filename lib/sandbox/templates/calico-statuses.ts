import { type KubeObject, objectTime } from '#lib/kube/index.ts';
import { statusesOf } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import type { ClusterShape } from './cluster-shape.ts';
import { releaseIn } from './release.ts';

const settledMs = 30 * 60_000;
const watched = [`DaemonSet ${names.nodeDaemonSet}`, `Deployment ${names.kubeControllersDeployment}`];

/** Adds the statuses that the operator writes: they say how many nodes it still waits for. */
export function withStatuses(objects: readonly KubeObject[], shape: ClusterShape): KubeObject[] {
  const release = releaseIn(shape);
  const workloads = objects.filter(({ kind, metadata }) => watched.includes(`${kind} ${metadata.name}`));
  const generation = objects.find(({ kind }) => kind === 'Installation')?.metadata.generation ?? 1;
  const look = { generation, since: objectTime(shape.now - settledMs) };
  const calico = statusesOf({ ...look, workloads }, release);
  const pools = statusesOf({ ...look, workloads: [] }, release);
  return objects.map((object) => {
    if (object.kind === 'TigeraStatus') {
      const { tigeraStatus } = object.metadata.name === 'calico' ? calico : pools;
      return { ...object, status: { conditions: tigeraStatus } };
    }
    if (object.kind !== 'Installation') return object;
    const { calicoVersion } = release;
    const status = { calicoVersion, computed: object.spec, conditions: calico.installation, variant: 'Calico' };
    return { ...object, status };
  });
}
