import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Flow } from '../flow.ts';
import { aFlow } from '../testing/a-flow.ts';
import { type Resume, resumeFrom } from './resume.ts';

const origin = 1_800_000_000;
const flowAt = (bucket: number, port: number, size = 1): Flow => {
  const start = origin + bucket * 15;
  return { id: `${start}-${port}`, ...aFlow({ start, port, packets: { in: size, out: 0 } }) };
};

/**
 * What a stream sends that begins at `from`, when the buckets before `known` were sent already: those as history, the newest of them again, then the
 * others.
 */
function sent(all: readonly Flow[][], from: number, known: number, seam: 'in order' | 'mixed'): Flow[] {
  const now = origin + known * 15;
  const since = from < 0 ? now + from : from;
  const buckets = all.filter((flows) => (flows[0]?.start ?? 0) + 15 > since);
  const history = buckets.filter((flows) => (flows[0]?.start ?? 0) < now);
  const live = buckets.slice(history.length);
  const again = history.at(-1) ?? [];
  const [first = [], ...rest] = live;
  // History and news of one stream may overlap.
  const between = seam === 'in order' ? [...again, ...first] : [...first, ...again];
  return [...history.flat(), ...between, ...rest.flat()];
}

function takeAll(resume: Resume, flows: readonly Flow[]): string[] {
  return flows.flatMap((flow) => (resume.take(flow) === 'new' ? [flow.id] : []));
}

const buckets = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 10 })
  .map((counts) => counts.map((count, bucket) => Array.from({ length: count }, (_, port) => flowAt(bucket, port))));

test('cut anywhere, twice, and away for as long as it likes: each flow once, and none is lost', () => {
  fc.assert(
    fc.property(
      buckets,
      fc.constantFrom('in order' as const, 'mixed' as const),
      fc.nat(9),
      fc.nat(9),
      (all, seam, one, other) => {
        const everything = all.flat().map(({ id }) => id);
        const first = sent(all, -3600, 0, seam);
        for (let cut = 0; cut <= first.length; cut++) {
          const resume = resumeFrom(3600);
          resume.from();
          const seen = takeAll(resume, first.slice(0, cut));
          // Everything sent before a cut was known by then; more may be known at the reconnect.
          const reached = Math.max(0, ...first.slice(0, cut).map(({ start }) => (start - origin) / 15 + 1));
          const back = Math.min(all.length, reached + one);
          const second = sent(all, resume.from(), back, seam);
          const again = Math.ceil(second.length / 2);
          seen.push(...takeAll(resume, second.slice(0, again)));
          const third = sent(all, resume.from(), Math.min(all.length, back + other), seam);
          seen.push(...takeAll(resume, third));
          expect(seen.toSorted()).toEqual(everything.toSorted());
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a flow that comes again with more takes the place of the one before, and with less does not', () => {
  const resume = resumeFrom(60);
  expect([flowAt(0, 1), flowAt(0, 1), flowAt(0, 1, 5), flowAt(0, 1, 2)].map((flow) => resume.take(flow))).toEqual([
    'new',
    'known',
    'grown',
    'known',
  ]);
});

test('what is remembered does not grow with time', () => {
  const resume = resumeFrom(60);
  for (let bucket = 0; bucket < 500; bucket++) for (let port = 0; port < 10; port++) resume.take(flowAt(bucket, port));
  resume.from();
  // Older than everything remembered, so it was delivered then.
  expect(resume.take(flowAt(400, 1))).toBe('known');
  expect(resume.take(flowAt(499, 1))).toBe('known');
  expect(resume.take(flowAt(500, 1))).toBe('new');
});

test('the first stream begins far enough back that a bucket which is not told yet is not lost', () => {
  expect(resumeFrom(1).from()).toBe(-60);
  expect(resumeFrom(600).from()).toBe(-600);
});
