import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox } from './testing/signalbox-process.ts';

/** `plan -o shell`, run as it is by sh with the real kubectl: the equivalent commands are equivalent. */
let cluster: CalicoCluster;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'v3.31.4', nodes: 2 });
});

afterAll(async () => {
  await cluster?.stop();
});

test('the script of a plan switches the cluster, and a second plan finds nothing left to do', async () => {
  const { workplace, plane } = cluster;
  const { out } = await mustSignalbox(workplace, ['plan', ...readyAnswers(), '-o', 'shell']);
  writeFileSync(join(workplace.cwd, 'plan.sh'), out);
  const env = {
    PATH: `${dirname(plane.binaries.kubectl)}:${process.env.PATH}`,
    KUBECONFIG: workplace.kubeconfig,
    HOME: workplace.cwd,
  };
  const { stdout } = await promisify(execFile)('sh', ['plan.sh'], { cwd: workplace.cwd, env, timeout: 240_000 });
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Done.');

  expect(await plane.api.get('/apis/operator.tigera.io/v1/installations/default')).toMatchObject({
    spec: { calicoNetwork: { linuxDataplane: 'BPF' } },
  });
  expect(await plane.api.get('/apis/crd.projectcalico.org/v1/felixconfigurations/default')).toMatchObject({
    spec: { bpfEnabled: true },
  });
  expect(await plane.api.get('/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy')).toMatchObject({
    status: { desiredNumberScheduled: 0 },
  });
  const second = await mustSignalbox(workplace, ['status', '-o', 'json']);
  expect(JSON.parse(second.out)).toMatchObject({
    agents: { available: 2, desired: 2 },
    proxy: { desired: 0 },
    unknown: [],
  });
  expect(await mustSignalbox(workplace, ['apply', '--goal', 'enable', ...readyAnswers(), '--yes'])).toMatchObject({
    err: expect.stringContaining('Nothing to do'),
  });
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});
