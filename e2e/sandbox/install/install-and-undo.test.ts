import { afterEach, describe, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { EmulatedOperator } from '#lib/operator/index.ts';
import { continueRun, readRun, startRun } from '#lib/run/index.ts';
import { type Choices, journalNamespaces, names, resources } from '#lib/spec/index.ts';
import { type InstallStage, openInstallStage } from '../testing/install-stage.ts';
import { startedRun } from '../testing/started-run.ts';

let stage: InstallStage;
afterEach(() => stage.close());

const felix = { resource: resources.felixConfigurations, name: names.felixConfiguration };
const proxy = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };

const ways: {
  words: string;
  like: EmulatedOperator;
  answers: Partial<Choices>;
  proxyIsOff: boolean;
  version?: string;
}[] = [
  { words: 'eBPF from the start', like: 'v3.31.4', answers: {}, proxyIsOff: true },
  { words: 'eBPF from the start, v3.30.7', like: 'v3.30.7', version: 'v3.30.7', answers: {}, proxyIsOff: true },
  {
    words: 'the proxy kept',
    like: 'v3.31.4',
    answers: { keepProxy: true, fix: ['proxy.no-double-management'] },
    proxyIsOff: false,
  },
  { words: 'with DSR', like: 'v3.31.4', answers: { dsr: true }, proxyIsOff: true },
  {
    words: 'kubeadm told to forget the proxy',
    like: 'v3.31.4',
    answers: { forgetKubeadmProxy: true },
    proxyIsOff: true,
  },
  { words: 'automatic', like: 'v3.31.4', answers: { automatic: true }, proxyIsOff: true },
  { words: 'the standard data plane', like: 'v3.31.4', answers: { dataplane: 'Iptables' }, proxyIsOff: false },
];

describe.each(ways)('$words', ({ like, answers, proxyIsOff, version }) => {
  test('runs to its end, and its undo leaves the empty cluster', async () => {
    stage = await openInstallStage({ nodes: 3, like, ...(version === undefined ? {} : { version }) });
    const before = await stage.contents();
    const { plan, findings } = await stage.prepare(answers);
    expect(findings.verdict).toBe('ready');

    const installed = startedRun(await startRun(stage.installer(), plan));
    expect(installed.outcome).toEqual({ kind: 'done' });
    const isBpf = answers.dataplane !== 'Iptables';
    expect((await stage.store.get(felix))?.spec).toMatchObject({ bpfEnabled: isBpf });
    expect((await stage.store.get(proxy))?.status).toMatchObject({ desiredNumberScheduled: proxyIsOff ? 0 : 3 });
    if (answers.keepProxy)
      expect((await stage.store.get(felix))?.spec).toMatchObject({ bpfKubeProxyIptablesCleanupEnabled: false });

    await stage.pass(60);
    const again = await stage.prepare(answers);
    const writes = again.plan.operations.filter(({ status, targets }) => status === 'needed' && targets.length > 0);
    expect(writes.map(({ id }) => id)).toEqual([]);

    const undone = startedRun(await continueRun(stage.installer(), installed.run, { how: 'undo' }));
    expect(undone.outcome).toEqual({ kind: 'undone' });
    await stage.pass(60);
    expectSameCluster(before, await stage.contents());
  });
});

test('what was waited for is in the journal, each step begun, acted and finished once', async () => {
  stage = await openInstallStage({ nodes: 1 });
  const { plan } = await stage.prepare();
  const { run } = startedRun(await startRun(stage.installer(), plan));
  const { journal } = await readRun(stage.ours, journalNamespaces, run);
  for (const { seq } of plan.operations.filter(({ status }) => status === 'needed')) {
    const own = journal.entries.filter((entry) => 'seq' in entry && entry.seq === seq);
    expect(own.map(({ what }) => what).filter((what) => what !== 'part')).toEqual(['begun', 'acted', 'finished']);
  }
});
