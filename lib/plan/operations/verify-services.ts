import { defineOperation } from '../define-operation.ts';

/** Unknown, and said so, until there is a preflight image (operations.md › verify.services). */
export const verifyServices = defineOperation({
  id: 'verify.services',
  title: 'Check that services answer from every node',
  why: 'From a pod on every node: the API’s ClusterIP, DNS over UDP and TCP, a NodePort of another node.',
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
