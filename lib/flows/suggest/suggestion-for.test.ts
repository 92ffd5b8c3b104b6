import { expect, test } from 'vitest';
import { createStore } from '#lib/kube/index.ts';
import { aFlow } from '../testing/a-flow.ts';
import { suggestionFor } from './suggestion-for.ts';

test('where more flows were told than are read, the policy and its absence say so', async () => {
  const kube = createStore({ name: 'lab', source: 'sandbox' });
  const of = (...flows: ReturnType<typeof aFlow>[]) =>
    suggestionFor(
      kube,
      { namespace: 'shop', name: 'checkout' },
      { since: null, until: null },
      async () => ({ flows: flows.map((flow) => ({ id: 'a', ...flow })), isCut: true }),
      new AbortController().signal,
    );
  expect(await of(aFlow())).toMatchObject({
    remarks: [
      'There are more flows in that time than are read at once: the oldest are left out.',
      'No incoming connections were seen: Ingress stays as it is.',
    ],
  });
  expect(await of()).toMatch(/^No flows of shop\/checkout were seen.* There are more flows in that time/);
});
