import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BothSides, startBothSides } from './both-sides.ts';
import { type Subject, stepsOf, subjects } from './random-writes.ts';
import { type Step, take } from './write-step.ts';

/**
 * The store answers any sequence of writes as a real API server does: same objects, same managedFields, same refusals.
 * Run with CONTRACT_RUNS=5000 to search longer, with SIGNALBOX_SEED to search elsewhere; a failure prints its seed.
 */
const numRuns = Number(process.env.CONTRACT_RUNS ?? 80);

let sides: BothSides;
let sequence = 0;

beforeAll(async () => {
  sides = await startBothSides();
});
afterAll(() => sides?.stop());

test.each(subjects.map((subject): [string, Subject] => [subject.resource.kind, subject]))(
  '%s: same sequence, same result',
  async (_, subject) => {
    const property = fc.asyncProperty(stepsOf(subject), (steps) => sameOnBothSides(subject, steps));
    await fc.assert(property, { numRuns });
  },
);

async function sameOnBothSides({ resource }: Subject, steps: readonly Step[]): Promise<void> {
  sequence += 1;
  const name = `sequence-${sequence}`;
  for (const [index, step] of steps.entries()) {
    const [live, store] = await Promise.all([
      take(sides.live, resource, name, step),
      take(sides.store, resource, name, step),
    ]);
    expect(store, `the store (received) and the API server (expected) differ after step ${index + 1}`).toEqual(live);
  }
}
