import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { templates } from '#lib/sandbox/index.ts';
import { apiVersionOf, resources } from '#lib/spec/index.ts';
import { someAnswers } from './fuzz/answers.ts';
import { type AssessedDump, assessDump } from './fuzz/assessed.ts';
import { type DumpOf, kindOf } from './fuzz/dump-of.ts';
import { mutated } from './fuzz/mutations.ts';
import { numbersFrom, pick } from './fuzz/numbers.ts';
import { wrongPasses } from './fuzz/wrong-passes.ts';

/** Checks mutated dumps: as many as fit into some seconds, or the number in `SIGNALBOX_FUZZ` (10000 for a thorough run). */
const thorough = process.env.SIGNALBOX_FUZZ;
const rounds = Number(thorough ?? 300);
const fewestRounds = 20;
const endsAfterMs = thorough === undefined ? 12_000 : Number.POSITIVE_INFINITY;
/** `SIGNALBOX_FUZZ_SEED` selects other mutations than the usual ones. */
const seed = Number(process.env.SIGNALBOX_FUZZ_SEED ?? 20_261_121);
/** A dump of a sample takes 100 ms of CPU time; more than this limit is a hang. */
const tooLongMs = 10_000;

/** Every third round is an upgrade, because it has checks that no other goal has, and a random goal might never be one in a short run. */
const upgradeEvery = 3;
const everyAnswer = Object.entries(someAnswers);
const ofUpgrades = everyAnswer.filter(([, { goals }]) => goals.includes('upgrade'));

const made = Date.UTC(2026, 0, 1);
const dumps = Object.entries(templates).map(([name, template]) => ({ name, dump: wholeDump(template.objects(made)) }));

/** A dump as `kubectl get -o yaml` of every read kind writes it, with an empty list for each kind without objects. */
function wholeDump(objects: DumpOf['objects']): DumpOf {
  const held = new Set(objects.map(kindOf));
  const read = Object.values(resources).map((resource) => ({
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
  }));
  const absent = read.filter((one) => !held.has(kindOf(one)) && !one.apiVersion.includes('openshift'));
  return { objects, emptyKinds: absent };
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true }));

test(
  'damaged dumps: no crash, no hang, and nothing passes because something is missing',
  async () => {
    const next = numbersFrom(seed);
    const undamaged = new Map<string, AssessedDump>();
    const wrong: string[] = [];
    const began = performance.now();
    const complain = (text: string) => {
      wrong.push(text);
      // A thorough run takes long, so each finding is printed at once.
      if (thorough !== undefined) console.error(text);
    };
    let done = 0;
    // Runs a least number of rounds, however slow the machine is.
    const enough = () => done >= fewestRounds && performance.now() - began >= endsAfterMs;
    for (let round = 0; round < rounds && !enough(); round++) {
      done++;
      if (thorough !== undefined && done % 250 === 0) console.error(`${done} of ${rounds}`);
      const { name, dump } = pick(dumps, next);
      const isUpgrade = round % upgradeEvery === 0;
      const [answered, answers] = pick(isUpgrade ? ofUpgrades : everyAnswer, next);
      const goal = isUpgrade ? 'upgrade' : pick(answers.goals, next);
      const { dump: damaged, mutation } = mutated(dump, next);
      const label = JSON.stringify({ round, sample: name, goal, answers: answered, ...mutation });
      const refusal = mutation.do === 'refuse-kinds' ? mutation : null;
      const judging = { folder, choices: { ...answers.choices, goal }, refusal, dryRuns: round % 5 === 0 };
      try {
        const key = JSON.stringify([name, goal, answered, refusal !== null]);
        const before =
          undamaged.get(key) ??
          (await assessDump(dump, { ...judging, refusal: refusal && { kinds: [], midway: false }, dryRuns: false }));
        undamaged.set(key, before);
        const after = await assessDump(damaged, judging);
        if (after !== null && after.cpuMs > tooLongMs) complain(`${label}: took ${Math.round(after.cpuMs)} ms`);
        for (const { check, was } of wrongPasses(mutation, before, after))
          complain(`${label}: ${check} was ${was} and passes`);
      } catch (error) {
        complain(`${label}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    // Compares texts, because vitest shortens lists in its output.
    expect(wrong.join('\n')).toBe('');
  },
  4 * 3_600_000,
);
