import { expect, test } from 'vitest';
import { talkersOf } from './talkers.ts';
import { aFlow, aHit } from './testing/a-flow.ts';

const by = (name: string) => ({ enforced: [aHit({ name })], pending: [] });
const flows = [
  { id: 'a', ...aFlow({ policies: by('egress') }) },
  { id: 'b', ...aFlow({ reporter: 'destination', policies: by('ingress') }) },
];

test('a connection that both ends tell of is counted once, and the policies of each end for themselves', () => {
  expect(talkersOf(flows, 'pair', 9)).toMatchObject([{ connections: 2, bytes: 1500 }]);
  expect(talkersOf(flows, 'policy', 9)).toMatchObject([
    { name: 'payments/egress', connections: 2, bytes: 1500 },
    { name: 'payments/ingress', connections: 2, bytes: 1500 },
  ]);
});
