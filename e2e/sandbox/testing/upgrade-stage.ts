import type { Kube, KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { adding, all, byManifest, changing, helmRelease, ownedByHelm } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { sandboxManifests, sandboxReleases } from './install-stage.ts';
import { goodEndpoint, openStage, type Stage, type StageOptions } from './stage.ts';

/** A cluster with an older release, and the means to plan and run its upgrade to v3.31.4, among them the sandbox's own helm. */
export type UpgradeStage = Stage & {
  /** Plans the upgrade. `kube`: the cluster that the plan is made from; default: that of Signalbox's user. */
  upgrade(answers?: Partial<Choices>, kube?: Kube): Promise<Plan>;
};

export async function openUpgradeStage(options: StageOptions): Promise<UpgradeStage> {
  const stage = await openStage({ like: 'v3.30.7', ...options });
  const { helm } = stage.kube;
  const ours = { ...stage.ours, ...(helm ? { helm } : {}) };
  return {
    ...stage,
    ours,
    process: ({ kube = ours, ...rest } = {}) => ({ ...stage.process({ kube, ...rest }), manifests: sandboxManifests }),
    upgrade: async (answers = {}, kube: Kube = ours) => {
      const choices = choicesSchema.parse({ goal: 'upgrade', release: 'v3.31.4', acceptProposals: true, ...answers });
      const { plan } = await preparePlan({
        kube,
        clock: stage.clock,
        answers: choices,
        choices: () => choices,
        releases: sandboxReleases,
        manifests: sandboxManifests,
        signal: new AbortController().signal,
      });
      return plan;
    },
  };
}

const [host = '', port = ''] = goodEndpoint.split(':');
const onBpf = { endpoint: { host, port }, proxy: { mode: 'iptables', turnedOff: true } } as const;
const byOperator = { calico: 'v3.30.4', dataplane: 'BPF', ...onBpf } as const;

/** v3.30.4 with eBPF and VXLAN, for each method of installation. Its upgrade to v3.31 needs v3.30.7 in between (pain §2, V1). */
export const behindByTwo: Readonly<Record<'operator' | 'Helm' | 'manifest', StageOptions>> = {
  operator: { shape: byOperator },
  Helm: { shape: { ...byOperator, variation: all(...ownedByHelm, adding(helmRelease({}, { version: 'v3.30.4' }))) } },
  manifest: {
    calico: 'absent',
    operator: 'none',
    shape: {
      ...onBpf,
      variation: all(
        byManifest('calico', { version: 'v3.30.4', encapsulation: 'VXLAN' }),
        changing('FelixConfiguration/default', (felix) => ({
          ...felix,
          spec: { ...Object(felix.spec), bpfEnabled: true },
        })),
      ),
    },
  },
};

/** v3.30.7 by Helm, with the CustomResourceDefinitions in a Helm release of their own, like charts from v3.32 on. */
export const kindsByHelm: StageOptions = {
  shape: {
    calico: 'v3.30.7',
    variation: all(
      ...ownedByHelm,
      adding(
        helmRelease({}, { version: 'v3.30.7' }),
        helmRelease({}, { version: 'v3.30.7', name: 'calico-crds', chart: 'crd.projectcalico.org.v1' }),
      ),
    ),
  },
};

/** v3.30.7 by calico-etcd.yaml, which has no CustomResourceDefinitions, and whose data in etcd Signalbox does not write. */
export const withEtcd: StageOptions = {
  calico: 'absent',
  operator: 'none',
  shape: { variation: byManifest('calico-etcd', { version: 'v3.30.7' }) },
};

/** The objects without Helm's records, which an undo adds too, and without the status of PodDisruptionBudgets, which changes with the pods. */
export function comparable(objects: readonly KubeObject[]): KubeObject[] {
  return objects
    .filter(({ metadata }) => !metadata.name?.startsWith('sh.helm.release.'))
    .map(({ status, ...object }) =>
      object.kind === 'PodDisruptionBudget' || status === undefined ? object : { ...object, status },
    );
}
