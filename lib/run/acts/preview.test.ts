import { expect, test } from 'vitest';
import { createStore, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { adoptFields } from './adopt-fields.ts';
import { perform, type WritingAct } from './perform.ts';
import { previewPlan } from './preview.ts';

const target: ObjectRef = { resource: resources.daemonSets, namespace: 'kube-system', name: 'calico-node' };

function agents(variables: readonly string[]): KubeObject {
  const env = variables.map((name) => ({ name, value: 'x' }));
  const labels = { app: 'calico-node' };
  const spec = { containers: [{ name: 'calico-node', image: 'node:v1', env }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name: 'calico-node' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

test('the diff of what is applied after its fields are taken over shows what goes away with them', async () => {
  const kube = createStore({ name: 'lab', source: 'live', kinds: [resources.daemonSets], objects: [] });
  await kube.create(resources.daemonSets, agents(['KEPT', 'GIVEN_UP']), { fieldManager: 'kubectl-client-side-apply' });
  const body = agents(['KEPT']) as unknown as Record<string, unknown>;
  const apply: WritingAct = { kind: 'apply', target, body, force: true };
  const one = { status: 'needed', targets: [objectId(target)], undo: null, diff: '', previewed: 'computed' };
  const operations = [
    { ...one, id: 'fields.adopt', act: { kind: 'adopt-fields', targets: [target] } },
    { ...one, id: 'manifest.apply', act: apply },
  ];
  const plan = { operations, findings: { findings: [] }, choices: {} } as unknown as Plan;
  const previewed = await previewPlan(kube, plan, new AbortController().signal);
  const { diff, previewed: how } = previewed.operations[1] ?? {};
  expect(how).toBe('dry-run');
  expect(diff).toContain('-            - name: GIVEN_UP');

  await adoptFields(kube, target);
  expect(JSON.stringify(await perform(kube, apply, 'act'))).not.toContain('GIVEN_UP');
});

test.each([
  ['unreachable', 'The dry run of manifest.apply was not answered: The connection broke.'],
  ['server', 'The dry run of manifest.apply was not answered: The connection broke.'],
  ['invalid', 'The dry run of manifest.apply was refused: The connection broke.'],
  ['aborted', 'The connection broke.'],
] as const)('a dry run that ends with %s', async (code, message) => {
  const store = createStore({ name: 'lab', source: 'live', kinds: [resources.daemonSets], objects: [] });
  const kube: Kube = { ...store, apply: () => Promise.reject(new KubeError(code, 'The connection broke.')) };
  const body = agents([]) as unknown as Record<string, unknown>;
  const act: WritingAct = { kind: 'apply', target, body, force: false };
  const one = { id: 'manifest.apply', status: 'needed', targets: [objectId(target)], undo: null, diff: '', act };
  const plan = { operations: [one], findings: { findings: [] }, choices: {} } as unknown as Plan;
  await expect(previewPlan(kube, plan, new AbortController().signal)).rejects.toMatchObject({ code, message });
});
