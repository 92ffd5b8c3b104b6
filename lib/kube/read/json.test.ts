import type { V1Lease, V1NetworkPolicy, V1Node } from '@kubernetes/client-node';
import { expect, expectTypeOf, test } from 'vitest';
import { type Json, readerOf } from './json.ts';
import { fields, listOf, numberOrNull, text } from './lenient.ts';

test('a model is what JSON holds: times are text, and names are those of the API', () => {
  expectTypeOf<NonNullable<Json<V1Lease>['spec']>['renewTime']>().toEqualTypeOf<string | undefined>();
  type Rule = NonNullable<NonNullable<Json<V1NetworkPolicy>['spec']>['ingress']>[number];
  expectTypeOf<Rule>().toHaveProperty('from');
  expectTypeOf<Rule>().not.toHaveProperty('_from');
});

test('a reader of fields that the model does not have does not compile', () => {
  const names = readerOf<V1Node>()(fields({ metadata: fields({ name: text }) }));
  expect(names({ metadata: { name: 'a' } })).toEqual({ metadata: { name: 'a' } });
  // @ts-expect-error notInModel: ".spec.taint"
  readerOf<V1Node>()(fields({ spec: fields({ taint: listOf(text) }) }));
  // @ts-expect-error notInModel: ".metadata.name"
  readerOf<V1Node>()(fields({ metadata: fields({ name: numberOrNull }) }));
  // @ts-expect-error notInModel: ".spec.taints[].keys"
  readerOf<V1Node>()(fields({ spec: fields({ taints: listOf(fields({ keys: text })) }) }));
});
