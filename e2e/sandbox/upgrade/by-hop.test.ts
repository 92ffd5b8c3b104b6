import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { legsOfUpgrade } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { adding, all, byManifest, changing, helmRelease, ownedByHelm, sandboxReleaseOn } from '#lib/sandbox/index.ts';
import { choicesSchema } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { carried } from '../testing/carried.ts';
import { goodEndpoint, openStage, type Stage, type StageWish } from '../testing/stage.ts';

/** With eBPF and VXLAN the way from v3.30.4 to v3.31 goes by v3.30.7 (pain §2, V1): a whole upgrade each, there and back, however Calico was installed. */
let stage: Stage;
afterEach(() => stage.close());

const [host = '', port = ''] = goodEndpoint.split(':');
const onBpf = { endpoint: { host, port }, proxy: { mode: 'iptables', turnedOff: true } } as const;
const byOperator = { calico: 'v3.30.4', dataplane: 'BPF', ...onBpf } as const;

const ways: readonly (readonly [string, StageWish])[] = [
  ['the operator', { shape: byOperator }],
  [
    'Helm',
    { shape: { ...byOperator, variation: all(...ownedByHelm, adding(helmRelease({}, { version: 'v3.30.4' }))) } },
  ],
  [
    'manifest',
    {
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
  ],
];

test.each(ways)(
  'by %s from v3.30.4 with eBPF and VXLAN to v3.31.4: every node runs v3.30.7 before one runs v3.31.4, the run pauses between both where that is asked for, and the way back goes by it too',
  async (_by, wish) => {
    stage = await openStage({ nodes: 3, like: 'v3.30.7', ...wish });
    // The sandbox's own helm, as its user has it.
    const kube = { ...stage.kube, ...stage.ours };
    const before = await stage.contents();
    const choices = choicesSchema.parse({
      goal: 'upgrade',
      release: 'v3.31.4',
      acceptProposals: true,
      pauseBetween: true,
    });
    const { plan } = await preparePlan({
      kube,
      clock: stage.clock,
      given: choices,
      choices: () => choices,
      releases: async ({ version, platform, manifest }) => sandboxReleaseOn(platform, version, manifest),
      signal: new AbortController().signal,
    });
    expect(legsOfUpgrade(plan)).toMatchObject({
      from: 'v3.30.4',
      to: [{ version: 'v3.30.7' }, { version: 'v3.31.4' }],
    });

    const seen = (events: ReturnType<Stage['process']>['events']) =>
      events.flatMap(({ event, data }) => (event === 'node' && data.version ? [`${data.name} ${data.version}`] : []));
    const nodes = await stage.nodeNames();
    const first = stage.process({ kube });
    const { run, outcome } = carried(await startRun(first, plan));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'release.reached', choices: ['resume', 'undo', 'stop'] });
    expect(seen(first.events).filter((one) => one.endsWith('v3.31.4'))).toEqual([]);
    const second = stage.process({ kube });
    expect(carried(await continueRun(second, run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
    const way = [first, second].flatMap(({ events }) => seen(events));
    for (const one of nodes)
      for (const other of nodes) expect(way.indexOf(`${one} v3.30.7`)).toBeLessThan(way.indexOf(`${other} v3.31.4`));
    expect(way).toEqual(expect.arrayContaining(nodes.map((name) => `${name} v3.30.7`)));

    const back = stage.process({ kube });
    expect(carried(await continueRun(back, run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    const last = new Map(seen(back.events).map((one) => one.split(' ') as [string, string]));
    expect([...last.values()]).toEqual(nodes.map(() => 'v3.30.4'));
    expect(seen(back.events)).toEqual(expect.arrayContaining(nodes.map((name) => `${name} v3.30.7`)));
    await stage.pass(120);
    expectSameCluster(compared(before), compared(await stage.contents()));
  },
);

/** Helm's own records come on top, also on the way back; a sandbox writes the status of a budget as soon as its pods change. */
function compared(objects: KubeObject[]): KubeObject[] {
  return objects
    .filter(({ metadata }) => !metadata.name?.startsWith('sh.helm.release.'))
    .map(({ status, ...object }) =>
      object.kind === 'PodDisruptionBudget' || status === undefined ? object : { ...object, status },
    );
}
