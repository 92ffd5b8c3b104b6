import { expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import { definitionOf } from '#lib/sandbox/index.ts';
import { resources, v3Uid } from '#lib/spec/index.ts';
import { type KillPoint, killableCluster } from '../testing/killable-cluster.ts';
import { carryOn, carryUntil, departures, type RepeatedCommand, type RunTrace, storyOf } from '../testing/killed.ts';
import type { Stage, StageOptions } from '../testing/stage.ts';
import { behindByTwo, comparable, kindsByHelm, openUpgradeStage, withEtcd } from '../testing/upgrade-stage.ts';

/** Kills the processes of upgrades and of their undos, at the begin of each step and in its middle. */

const uid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';
const shown = resources.calicoNetworkPoliciesV3;
const policy = (apiVersion: string, uidShown: string): KubeObject => ({
  apiVersion,
  kind: 'NetworkPolicy',
  metadata: { name: 'default.cart', namespace: 'default', uid: uidShown },
  spec: { tier: 'default', selector: 'all()', types: ['Ingress'] },
});
const settings: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'cart-settings',
    namespace: 'default',
    // A fixed UID, because the plan that names it is made in another store.
    uid: 'c0ffee00-0000-4000-8000-000000000001',
    ownerReferences: [
      { apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid, controller: true },
    ],
  },
};
const owned = [
  definitionOf(shown),
  policy('crd.projectcalico.org/v1', uid),
  policy('projectcalico.org/v3', uid),
  settings,
];

/** Serves Calico's own API, which shows the UIDs of the running operator's release. */
function serveUids(stage: Stage): void {
  let served = uid;
  stage.store.onChange(({ object }) => {
    if (object.kind !== 'Deployment' || object.metadata.name !== 'tigera-operator') return;
    const isOld = JSON.stringify(object.spec).includes('operator:v1.32.');
    const next = isOld ? uid : (v3Uid(uid) ?? '');
    if (next === served) return;
    served = next;
    void stage.store
      .delete({ resource: shown, namespace: 'default', name: 'default.cart' })
      .then(() => stage.store.load([policy('projectcalico.org/v3', next)]));
  });
}

const ways: readonly (readonly [string, StageOptions])[] = [
  [
    'the operator, from v3.27.5 with an owner',
    { shape: { calico: 'v3.27.5' }, objects: (objects) => [...objects, ...owned] },
  ],
  ['Helm, by way of v3.30.7', behindByTwo.Helm],
  ['Helm, the kinds in a release of their own', kindsByHelm],
  ['manifest, by way of v3.30.7', behindByTwo.manifest],
  ['manifest with etcd', withEtcd],
];

const isChecked = (id: string) => !/^(snapshot|verify\.)/.test(id);

async function open(options: StageOptions): Promise<Stage & { upgrade(): Promise<Plan> }> {
  const stage = await openUpgradeStage({ nodes: 1, ...options });
  if (stage.objects().some(({ apiVersion }) => apiVersion === 'projectcalico.org/v3')) serveUids(stage);
  return { ...stage, upgrade: () => stage.upgrade({}, asAggregated(stage.ours)) };
}

/** Hides the definition of `shown`: the store needs it to serve the kind, but a cluster with Calico's API server has none. */
function asAggregated(kube: Kube): Kube {
  return {
    ...kube,
    async *list(resource, options) {
      for await (const page of kube.list(resource, options))
        yield {
          ...page,
          items: page.items.filter(({ metadata }) => metadata.name !== definitionOf(shown).metadata.name),
        };
    },
  };
}

type Way = {
  plan: Plan;
  before: KubeObject[];
  stories: Record<RepeatedCommand, RunTrace>;
  deaths: Record<RepeatedCommand, KillPoint[]>;
};

/** A run without deaths: the changes of each direction, and the calls at which each step begins and is in its middle. */
async function undisturbed(options: StageOptions): Promise<Way> {
  const stage = await open(options);
  const before = await stage.contents();
  const plan = await stage.upgrade();
  const deaths = {} as Way['deaths'];
  const stories = {} as Way['stories'];
  for (const wanted of ['enable', 'undo'] as const) {
    const begun: number[] = [];
    const ended: number[] = [];
    const watched = killableCluster(stage.ours, stage.clock, null);
    const onlyThis: Stage = {
      ...stage,
      ours: stage.ours,
      process: (its) => {
        const made = stage.process(its);
        return {
          ...made,
          kube: watched.kube,
          onEvent: (event) => {
            made.onEvent(event);
            if (event.event !== 'operation' || !isChecked(event.data.id)) return;
            if (event.data.state === 'begun') begun.push(watched.calls.length);
            if (event.data.state === 'finished') ended.push(watched.calls.length);
          },
        };
      },
    };
    const { journal } = await carryOn(onlyThis, plan, wanted);
    stories[wanted] = await storyOf(stage, journal, 120);
    deaths[wanted] = begun.flatMap((call, index): KillPoint[] => [
      { call: call + 1, moment: 'after' },
      { call: Math.floor((call + (ended[index] ?? call)) / 2) + 1, moment: 'after' },
    ]);
  }
  await stage.close();
  return { plan, before, stories, deaths };
}

test.each(ways)(
  'by %s: whoever dies, the next process carries on, nothing is done twice, and the way back is exact',
  async (_by, options) => {
    const { plan, before, stories, deaths } = await undisturbed(options);
    expectSameCluster(comparable(before), comparable(stories.undo.contents));
    const broken: string[] = [];
    const rounds = Math.max(deaths.enable.length, deaths.undo.length);
    for (let round = 0; round < rounds; round++) {
      const stage = await open(options);
      for (const wanted of ['enable', 'undo'] as const) {
        const death = deaths[wanted][round % deaths[wanted].length] ?? null;
        const { calls } = await carryUntil(stage, plan, wanted, death);
        const { journal } = await carryOn(stage, plan, wanted);
        const wrong = departures(await storyOf(stage, journal, 120), stories[wanted]);
        if (wrong.length > 0)
          broken.push(`${wanted}, call ${death?.call} (${calls.at(-1)?.method}): ${wrong.join('; ')}`);
      }
      await stage.close();
    }
    expect(broken).toEqual([]);
  },
);
