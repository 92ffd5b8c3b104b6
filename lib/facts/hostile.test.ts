import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord } from '#lib/base/records.ts';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from './collect.ts';
import { factsSchema } from './schema.ts';
import { aNode, standardCluster } from './testing/sample-cluster.ts';

const kinds = Object.values(resources);

/** What stands in the place of a field: nothing, or something of another type. */
const junk: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  true,
  '',
  'x'.repeat(100_000),
  [],
  {},
  [[[]]],
  { a: { b: {} } },
  '\u001b[31m<b>',
];

/** The same numbers for the same seed (a linear congruence; its low bits are poor and are dropped). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

/** Replaces some values anywhere below `value`, by a sequence of random numbers. */
function damaged(value: unknown, next: () => number): unknown {
  if (next() % 40 === 0) return junk[next() % junk.length];
  if (Array.isArray(value)) return value.map((one) => damaged(one, next));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      // Without these the port itself would not hand an object out.
      if (['apiVersion', 'kind', 'name', 'namespace', 'metadata'].includes(key)) {
        return [[key, key === 'metadata' ? { ...(damaged(inner, next) as object), ...identity(inner) } : inner]];
      }
      return next() % 60 === 0 ? [] : [[key, damaged(inner, next)]];
    }),
  );
}

/** The object stays one: its kind and name are what the port found it by. */
function damagedObject({ apiVersion, kind, metadata, ...rest }: KubeObject, next: () => number): KubeObject {
  const fields = Object.entries(rest).map(([key, value]) => [key, damaged(value, next)]);
  const damagedMetadata = { ...(damaged({ ...metadata }, next) as object), ...identity(metadata) };
  return { ...Object.fromEntries(fields), apiVersion, kind, metadata: damagedMetadata };
}

function identity(metadata: unknown): object {
  if (!isRecord(metadata)) return {};
  const { name, namespace } = metadata;
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

test('facts of an object with missing or mistyped fields match their schema', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom('live', 'dump'), async (seed, source) => {
      const next = numbersFrom(seed);
      const objects = standardCluster()
        .filter(() => next() % 6 !== 0)
        .map((object) => damagedObject(object, next));
      const kube = createStore({ name: 'lab', source, kinds, objects });
      const facts = await collectFacts({ kube });
      expect(factsSchema.safeParse(facts).error).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

test('what only looks like an object of ours', async () => {
  const odd: KubeObject[] = [
    JSON.parse(
      '{"apiVersion":"v1","kind":"Node","metadata":{"name":"__proto__","labels":{"__proto__":"x"}},"__proto__":{"polluted":true}}',
    ),
    JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"kube-system","name":"kubeadm-config"},"data":{"ClusterConfiguration":"a: &a [x]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\\nc: [*b,*b,*b,*b,*b,*b,*b,*b]"}}',
    ),
    aNode({ name: 'a\u0000\u001b[2J', osImage: '<script>alert(1)</script>', kernel: '9'.repeat(1_000_000) }),
  ];
  const facts = await collectFacts({ kube: createStore({ name: 'lab', source: 'live', objects: odd }) });
  expect(factsSchema.safeParse(facts).success).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(facts.nodes.find(({ osImage }) => osImage.includes('script'))?.kernel.length).toBeLessThan(20_000);
});
