import { expect, test } from 'vitest';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import type { ObjectRef } from '#lib/spec/index.ts';
import { resources } from '#lib/spec/index.ts';
import { areAbsent } from './absent.ts';

const definition = (name: string): ObjectRef => ({ resource: resources.customResourceDefinitions, name });

function look(left: readonly KubeObject[]) {
  const get: Kube['get'] = async ({ name }) => left.find(({ metadata }) => metadata.name === name) ?? null;
  const targets = [definition('a.example.org'), definition('b.example.org'), definition('c.example.org')];
  const { signal } = new AbortController();
  return areAbsent({ kind: 'all-absent', targets }, { kube: { get }, signal });
}

test('what is left of several objects is named, with the finalizers that hold it', async () => {
  const apiVersion = 'apiextensions.k8s.io/v1';
  const kind = 'CustomResourceDefinition';
  const finalizers = ['customresourcecleanup.apiextensions.k8s.io'];
  const progress = await look([
    { apiVersion, kind, metadata: { name: 'a.example.org' } },
    { apiVersion, kind, metadata: { name: 'c.example.org', finalizers } },
  ]);
  expect(progress).toEqual({
    kind: 'waiting',
    awaiting: '2 of 3 objects to be gone',
    heldUpBy: [
      { kind, namespace: null, name: 'a.example.org', detail: 'still there' },
      { kind, namespace: null, name: 'c.example.org', detail: `held by finalizers ${finalizers[0]}` },
    ],
  });
});

test('met once none is left', async () => {
  expect(await look([])).toMatchObject({ kind: 'met', note: '3 objects are gone' });
});
