import { followWorkloads } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';

/** spec › States and transitions: all product pods must show Running. */
export const verifyPods = defineOperation({
  id: 'verify.pods',
  title: 'Check that every pod of Calico is running and ready',
  why: 'The last check before the run is done.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({ step: { act: { kind: 'verify' }, done: { kind: 'product-pods-ready' } } }),
  needs: ({ calicoNamespace }) => followWorkloads(calicoNamespace),
  act: { kind: 'verify' },
  done: { kind: 'product-pods-ready' },
  usualSeconds: 10,
  deadlineSeconds: 300,
});
