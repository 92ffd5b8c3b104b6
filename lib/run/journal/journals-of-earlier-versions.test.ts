import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { decide } from '../engine/decide.ts';
import { memoryInProcess } from '../memory/memory-in-process.ts';
import { hasEnded } from '../model/has-ended.ts';
import { reportAsMarkdown, reportOf } from '../model/report.ts';
import { stepsOf } from '../model/steps.ts';
import { listRuns, readRun, readRunWithProvenance } from './list-runs.ts';

/**
 * ConfigMaps of earlier versions, one on a line: runs of the sandboxes *standard* and *empty-kubeadm*, carried by a checkout of that version, some of
 * them interrupted in `switch.bpf` by Ctrl-C or SIGKILL. `before-0.1.0`: the first version that people used; `after-0.1.0`: journals are sealed, in a
 * namespace of their own. If you change the form of journals, add a file here and leave these as they are.
 */
const folder = join(import.meta.dirname, '../testing/journals-of-earlier-versions');

const versions: readonly (readonly [version: string, namespace: string, states: readonly string[]])[] = [
  ['before-0.1.0', names.systemNamespace, ['done', 'paused', 'running']],
  ['0.1.0', names.systemNamespace, ['undone', 'paused', 'stopped', 'undone']],
  ['after-0.1.0', names.journalNamespace, ['done', 'paused', 'undone']],
];

describe.each(versions)('journals of version %s', (version, namespace, states) => {
  const objects = readFileSync(join(folder, `${version}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KubeObject & Stored);

  const aCluster = async () => {
    const kube = createStore({ name: 'test', source: 'sandbox', clock: instantClock() });
    await kube.create(resources.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: names.journalNamespace },
    });
    for (const { metadata, ...rest } of objects) {
      const { resourceVersion: _, uid: __, ...own } = metadata;
      await kube.create(resources.configMaps, { ...rest, metadata: own });
    }
    return kube;
  };

  test('are listed', async () => {
    const runs = await listRuns(await aCluster(), [namespace]);
    expect(runs.map(({ run, state }) => `${run} ${state.kind}`).sort()).toEqual(
      objects.map((object, at) => `${runOf(object)} ${states[at]}`).sort(),
    );
  });

  test.each(objects.map((object) => [runOf(object), object] as const))(
    '%s is read without loss',
    async (run, object) => {
      const { plan, journal } = await readRun(await aCluster(), [namespace], run);
      expect(journal).toEqual(JSON.parse(object.data['journal.json']));
      // What a later version added has a default.
      expect(plan).toMatchObject(
        JSON.parse(gunzipSync(Buffer.from(object.binaryData['plan.json.gz'], 'base64')).toString()),
      );
    },
  );

  test.each(objects.map(runOf))('%s is reported whole', async (run) => {
    const read = await readRunWithProvenance(await aCluster(), [namespace], run, memoryInProcess('here'));
    // This installation has another key, so the runs count as foreign.
    expect(read.provenance.kind).toBe('foreign');
    const report = reportOf(read.plan, read.journal, read.provenance);
    expect(report.operations.map(({ seq }) => seq)).toEqual(read.plan.operations.map(({ seq }) => seq));
    const finished = read.journal.entries.filter(({ what }) => what === 'finished');
    expect([...report.operations, ...report.undo].filter(({ finishedAt }) => finishedAt !== null)).toHaveLength(
      finished.length,
    );
    const happenings = read.journal.entries.filter(
      ({ what }) => what === 'paused' || what === 'undo-asked' || what === 'ended',
    );
    expect(report.happenings.map((one) => one.at)).toEqual(expect.arrayContaining(happenings.map(({ at }) => at)));
    expect(reportAsMarkdown(report)).toContain(`# Run ${run}`);
  });

  test.each(objects.map(runOf))('%s is carried on and undone from where it stands', async (run) => {
    const { plan, journal } = await readRun(await aCluster(), [namespace], run);
    const begun = journal.entries.findLast((entry) => entry.what === 'begun');
    expect(stepsOf(plan, journal, 'undo').length).toBeGreaterThan(0);
    const next = decide({ plan, journal }, { saw: 'call', call: null });
    if (!hasEnded(journal.state)) expect(next).toMatchObject({ do: expect.stringMatching(/^(look|compare|wait)$/) });
    if ('step' in next && next.do !== 'compare') expect(next.step.key.seq).toBe(begun?.seq);
  });
});

type Stored = { data: { 'journal.json': string }; binaryData: { 'plan.json.gz': string } };

function runOf({ metadata }: KubeObject): string {
  return metadata.labels?.[names.runLabel] ?? '';
}
