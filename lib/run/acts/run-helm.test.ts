import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { HelmMissing } from './helm-program.ts';
import { type HelmAct, helmLine, runHelm } from './run-helm.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const act: HelmAct = {
  kind: 'helm',
  verb: 'upgrade',
  release: 'calico',
  namespace: 'tigera-operator',
  chart: '/srv/a chart',
  version: 'v3.31.4',
  set: {},
  values: 'reset-then-reuse',
};

const record = (revision: number, status: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'tigera-operator',
    name: `sh.helm.release.v1.calico.v${revision}`,
    labels: { name: 'calico', owner: 'helm', status, version: String(revision) },
  },
});

function reached(...objects: KubeObject[]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.secrets], objects });
  return Object.assign(kube, { reachedBy: { kubeconfig: null, context: 'lab' } });
}

test('a release that stays pending is not touched, and the lines that settle it are told', async () => {
  const ended = expect(
    runHelm(reached(record(1, 'deployed'), record(2, 'pending-upgrade')), act, 'act'),
  ).rejects.toThrow(/revision 2 is pending-upgrade.*`helm rollback calico REVISION --namespace tigera-operator`/);
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
});

test('a cluster that no helm can reach is for somebody else’s helm', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.secrets], objects: [] });
  await expect(runHelm(kube, act, 'act')).rejects.toThrow(HelmMissing);
  expect(helmLine(act)).toBe(
    "helm upgrade calico '/srv/a chart' --namespace tigera-operator --reset-then-reuse-values --version v3.31.4",
  );
});
