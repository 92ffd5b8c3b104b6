import { defineOperation } from '../define-operation.ts';

/** What an undo needs is stored before the first act (product.md › Promises, 2). */
export const snapshot = defineOperation({
  id: 'snapshot',
  title: 'Record what this plan will change',
  why: 'All that an undo needs is stored in the cluster before the first change.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  // rules-for.ts › bookkeeping: a run that snapshots nothing keeps a journal too.
  mayWrite: () => ({ step: { act: { kind: 'journal' }, done: { kind: 'journalled' } } }),
  needs: () => [],
  act: { kind: 'journal' },
  done: { kind: 'journalled' },
  // plan-as-shell.ts writes the line: it needs the targets of the operations that follow.
  command: '',
  usualSeconds: 1,
  deadlineSeconds: 30,
});
