import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import type { Plan } from '#lib/plan/index.ts';
import type { KillPoint } from '../testing/killable-cluster.ts';
import { carryOn, carryUntil } from '../testing/killed.ts';
import { openStage } from '../testing/stage.ts';

const nodes = 2;
let plan: Plan;
let before: KubeObject[];

beforeAll(async () => {
  const stage = await openStage({ nodes });
  before = await stage.contents();
  plan = await stage.plan();
  await stage.close();
});

const death: fc.Arbitrary<KillPoint> = fc.record({
  call: fc.integer({ min: 12, max: 250 }),
  moment: fc.constantFrom('before', 'after'),
});

test('whatever processes die on the way there and on the way back, the cluster ends as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(death, { minLength: 2, maxLength: 3 }),
      fc.array(death, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (there, back, arrives) => {
        const stage = await openStage({ nodes });
        for (const one of there) await carryUntil(stage, plan, 'enable', one);
        // In half of the cases the undo starts from the state in which the last process died.
        if (arrives) await carryOn(stage, plan, 'enable');
        // A setting that changes and changes back before an agent reads it restarts nothing. No log shows this, so the run asks the administrator.
        await stage.pass(10);
        for (const one of back) await carryUntil(stage, plan, 'undo', one);
        const { journal } = await carryOn(stage, plan, 'undo');
        expect(journal.state).toEqual({ kind: 'undone' });
        await stage.pass(120);
        expectSameCluster(before, await stage.contents());
        await stage.close();
      },
    ),
    { numRuns: 10 },
  );
});
