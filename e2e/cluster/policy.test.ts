import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { newestRun } from './testing/journal.ts';
import { mustSignalbox, signalbox } from './testing/signalbox-process.ts';

/** A policy by the command, on the API server of Kubernetes: what is created, refused, and deleted on a condition there. */
let cluster: CalicoCluster;
let file: string;

const target: ObjectRef = { resource: resources.stagedNetworkPolicies, namespace: 'default', name: 'default.web-seen' };
const spec = { tier: 'default', selector: "app == 'web'", types: ['Ingress'], ingress: [{ action: 'Allow' }] };

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 1 });
  const { cwd } = cluster.workplaceOf('one');
  file = join(cwd, 'policy.json');
  await writeFile(
    file,
    JSON.stringify({
      apiVersion: 'projectcalico.org/v3',
      kind: 'StagedNetworkPolicy',
      metadata: { name: 'web-seen', namespace: 'default' },
      spec,
    }),
  );
});

afterAll(() => cluster?.stop());

const apply = () => ['apply', '--goal', 'policy', '--policy', file, '--yes', '-o', 'json'];
const found = () => cluster.kube.get(target);
const place = () => cluster.workplaceOf('one');

test('a policy is made once, and its undo deletes it on the condition that it is still that one', async () => {
  await mustSignalbox(place(), apply());
  const made = await found();
  const { journal } = await newestRun(cluster.kube);
  expect(made).toMatchObject({ spec, metadata: { annotations: { [names.madeByAnnotation]: journal.run } } });
  expect(JSON.stringify(journal.entries)).toContain(made?.metadata.uid);
  // The second time there is nothing to do, so no run starts.
  await mustSignalbox(place(), apply());
  expect((await newestRun(cluster.kube)).journal.run).toBe(journal.run);
  await mustSignalbox(place(), ['undo', journal.run, '--yes']);
  expect(await found()).toBeNull();
});

test('one that somebody made in its place is not deleted', async () => {
  await mustSignalbox(place(), apply());
  const { journal } = await newestRun(cluster.kube);
  const { metadata, ...rest } = (await found()) as KubeObject;
  await cluster.kube.delete(target);
  const copy = { name: target.name, namespace: 'default', annotations: metadata.annotations ?? {} };
  await cluster.kube.create(target.resource, { ...rest, metadata: copy });
  expect(await signalbox(place(), ['undo', journal.run, '--yes'])).toMatchObject({ code: 0 });
  expect(await found()).not.toBeNull();
});
