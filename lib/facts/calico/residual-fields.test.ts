import { expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from '../collect.ts';
import type { RecordedField } from '../collector.ts';

const path = ['spec', 'bpfKubeProxyIptablesCleanupEnabled'];
const endedAt = '2026-11-21T10:00:00Z';
const field: RecordedField = {
  object: 'FelixConfiguration/default',
  path,
  value: false,
  before: null,
  run: '20261121-0950-3f9c',
  endedAt,
  evidence: { object: 'kube-system/ConfigMap/signalbox-run-20261121-0950-3f9c', path: 'journal', value: 'set by it' },
};

type Writer = { manager: string; time: string };

function felix(value: boolean | null, writers: Writer[]): KubeObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: {
      name: 'default',
      managedFields: writers.map((writer) => ({
        ...writer,
        operation: 'Update' as const,
        fieldsType: 'FieldsV1' as const,
        fieldsV1: { 'f:spec': { 'f:bpfKubeProxyIptablesCleanupEnabled': {} } },
      })),
    },
    spec: value === null ? {} : { bpfKubeProxyIptablesCleanupEnabled: value },
  };
}

async function left(object: KubeObject, recorded: RecordedField[] = [field]) {
  const kube = createStore({ name: 'lab', source: 'live', kinds: Object.values(resources), objects: [object] });
  const facts = await collectFacts({ kube, clock: instantClock(0), leftBehind: recorded });
  return facts.resources.leftBehind;
}

const ours = { manager: 'signalbox', time: '2026-11-21T09:58:00Z' };

test('a field that a run left behind has its writer and its earlier value', async () => {
  const [found, ...rest] = await left(felix(false, [ours]));
  expect(rest).toEqual([]);
  expect(found).toMatchObject({ run: field.run, before: null, value: false });
  expect(found?.evidence.map(({ value }) => value)).toEqual([false, 'signalbox, 2026-11-21T09:58:00Z', 'set by it']);
});

test.each([
  ['somebody set it again after the run', felix(false, [ours, { manager: 'kubectl', time: '2026-11-21T11:00:00Z' }])],
  ['somebody set another value', felix(true, [ours])],
  ['somebody took it away', felix(null, [])],
])('nothing is left where %s', async (_words, object) => {
  expect(await left(object)).toEqual([]);
});

test('written through the aggregated API, the field has its server’s name: the journal is believed', async () => {
  expect(await left(felix(false, [{ manager: 'apiserver', time: '2026-11-21T09:59:00Z' }]))).toHaveLength(1);
});

test('without a journal that names it, a value is the administrator’s', async () => {
  expect(await left(felix(false, [ours]), [])).toEqual([]);
});
