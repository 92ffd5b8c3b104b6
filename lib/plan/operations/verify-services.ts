import { defineOperation } from '../define-operation.ts';

/** Unknown, and said so, until there is a preflight image (operations.md › verify.services). */
export const verifyServices = defineOperation({
  id: 'verify.services',
  title: 'Services from every node: not tested',
  why: 'This version has no probe for that. Test a ClusterIP, DNS and a NodePort from each node yourself; the report says that nobody verified it.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({ step: { act: { kind: 'verify' }, done: { kind: 'services-answer' } } }),
  needs: () => [],
  act: { kind: 'verify' },
  done: { kind: 'services-answer' },
  usualSeconds: 10,
  deadlineSeconds: 120,
});
