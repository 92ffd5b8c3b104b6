import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterDifferences, type Difference } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { EmulatedOperator } from '#lib/operator/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { type Choices, names, resources } from '#lib/spec/index.ts';
import { openStage, type Stage } from './testing/stage.ts';
import { startedRun } from './testing/started-run.ts';

/** Differences of a cluster from the sample before `enable`, and different answers. */
const variation = fc.record({
  like: fc.constantFrom<EmulatedOperator>('v3.31.4', 'v3.30.7'),
  nodes: fc.integer({ min: 1, max: 3 }),
  cleanup: fc.constantFrom('absent', true, false),
  endpoint: fc.constantFrom('absent', 'same', 'other'),
  hostPorts: fc.constantFrom('Enabled', 'Disabled'),
  management: fc.constantFrom('absent', 'Disabled', 'Enabled'),
  maxUnavailable: fc.constantFrom(1, '50%'),
  mark: fc.constantFrom('as the operator left it', 'missing', 'neither'),
  keepProxy: fc.boolean(),
  dsr: fc.boolean(),
});
type Variation = typeof variation extends fc.Arbitrary<infer T> ? T : never;

const addresses: Record<string, { host: string; port: string } | null> = {
  absent: null,
  same: { host: '10.0.0.11', port: '6443' },
  other: { host: 'api.sandbox.example', port: '6443' },
};

test('whatever the cluster was like, enable and its undo give back the same objects', async () => {
  await fc.assert(
    fc.asyncProperty(variation, async (varied) => {
      const stage = await openStage({
        nodes: varied.nodes,
        like: varied.like,
        shape: { endpoint: addresses[varied.endpoint] ?? null },
        objects: (objects) => objects.map((object) => changed(object, varied)),
      });
      if (varied.mark === 'missing') await loseMark(stage);
      await stage.pass(60);
      const before = await stage.contents();
      const plan = await stage.plan(answersOf(varied));
      const enabled = startedRun(await startRun(stage.process(), plan));
      expect(enabled.outcome).toEqual({ kind: 'done' });
      await stage.pass(30);
      const undone = startedRun(await continueRun(stage.process(), enabled.run, { how: 'undo' }));
      expect(undone.outcome).toEqual({ kind: 'undone' });
      await stage.pass(400);
      expect(differences(before, await stage.contents(), varied)).toEqual([]);
      await stage.close();
    }),
    { numRuns: 20 },
  );
});

/** Removes the operator's mark on bpfEnabled from a cluster without other faults. */
async function loseMark({ store }: Stage): Promise<void> {
  const ref = { resource: resources.felixConfigurations, name: names.felixConfiguration };
  const body = { metadata: { annotations: { [names.bpfEnabledAnnotation]: null } } };
  await store.patch(ref, { type: 'merge', body }, { fieldManager: 'kubectl-edit' });
}

/** The differences between two states. Leaves out the operator's status if the operator refuses to work, because the status then depends on timing. */
function differences(before: KubeObject[], after: KubeObject[], { mark }: Variation): Difference[] {
  const found = clusterDifferences(before, after);
  return mark === 'missing' ? found.filter(({ path }) => !path.startsWith('status.conditions')) : found;
}

function answersOf({ keepProxy, dsr, mark }: Variation): Partial<Choices> {
  return {
    keepProxy,
    ...(dsr ? { dsr } : {}),
    ...(mark === 'missing' ? { fix: ['install.felix-annotation'] } : {}),
  };
}

function changed(object: KubeObject, varied: Variation): KubeObject {
  if (object.kind === 'Installation') {
    const spec = object.spec as { calicoNetwork: Record<string, unknown>; nodeUpdateStrategy: Record<string, unknown> };
    // Older operators have no field for managing kube-proxy.
    const managed = varied.management !== 'absent' && varied.like !== 'v3.30.7' && !varied.keepProxy;
    return {
      ...object,
      spec: {
        ...spec,
        calicoNetwork: {
          ...spec.calicoNetwork,
          hostPorts: varied.hostPorts,
          ...(managed ? { kubeProxyManagement: varied.management } : {}),
        },
        nodeUpdateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: varied.maxUnavailable } },
      },
    };
  }
  if (object.kind !== 'FelixConfiguration') return object;
  const { bpfEnabled, ...spec } = object.spec as Record<string, unknown>;
  const { annotations: _, ...metadata } = object.metadata;
  const cleanup = varied.cleanup === 'absent' ? {} : { bpfKubeProxyIptablesCleanupEnabled: varied.cleanup };
  if (varied.mark === 'neither') return { ...object, metadata, spec: { ...spec, ...cleanup } };
  return { ...object, spec: { ...spec, bpfEnabled, ...cleanup } };
}
