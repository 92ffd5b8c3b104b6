import { afterEach, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { legsOfUpgrade } from '#lib/plan/index.ts';
import { continueRun, startRun } from '#lib/run/index.ts';
import { startedRun } from '../testing/started-run.ts';
import { behindByTwo, comparable, openUpgradeStage, type UpgradeStage } from '../testing/upgrade-stage.ts';

/** With eBPF and VXLAN, an upgrade from v3.30.4 to v3.31 needs v3.30.7 in between (pain §2, V1). Runs and undoes both, for each method of installation. */
let stage: UpgradeStage;
afterEach(() => stage.close());

test.each(Object.entries(behindByTwo))(
  'by %s from v3.30.4 with eBPF and VXLAN to v3.31.4: every node runs v3.30.7 before one runs v3.31.4, the run pauses between both where that is asked for, and the way back goes by it too',
  async (_by, options) => {
    stage = await openUpgradeStage({ nodes: 3, ...options });
    const before = await stage.contents();
    const plan = await stage.upgrade({ pauseBetween: true });
    expect(legsOfUpgrade(plan)).toMatchObject({
      from: 'v3.30.4',
      to: [{ version: 'v3.30.7' }, { version: 'v3.31.4' }],
    });

    const seen = (events: ReturnType<UpgradeStage['process']>['events']) =>
      events.flatMap(({ event, data }) => (event === 'node' && data.version ? [`${data.name} ${data.version}`] : []));
    const nodes = await stage.nodeNames();
    const first = stage.process();
    const { run, outcome } = startedRun(await startRun(first, plan));
    expect(outcome).toMatchObject({ kind: 'paused', code: 'release.reached', choices: ['resume', 'undo', 'stop'] });
    expect(seen(first.events).filter((one) => one.endsWith('v3.31.4'))).toEqual([]);
    const second = stage.process();
    expect(startedRun(await continueRun(second, run, { how: 'resume' })).outcome).toEqual({ kind: 'done' });
    const way = [first, second].flatMap(({ events }) => seen(events));
    for (const one of nodes)
      for (const other of nodes) expect(way.indexOf(`${one} v3.30.7`)).toBeLessThan(way.indexOf(`${other} v3.31.4`));
    expect(way).toEqual(expect.arrayContaining(nodes.map((name) => `${name} v3.30.7`)));

    const back = stage.process();
    expect(startedRun(await continueRun(back, run, { how: 'undo' })).outcome).toEqual({ kind: 'undone' });
    const last = new Map(seen(back.events).map((one) => one.split(' ') as [string, string]));
    expect([...last.values()]).toEqual(nodes.map(() => 'v3.30.4'));
    expect(seen(back.events)).toEqual(expect.arrayContaining(nodes.map((name) => `${name} v3.30.7`)));
    await stage.pass(120);
    expectSameCluster(comparable(before), comparable(await stage.contents()));
  },
);
