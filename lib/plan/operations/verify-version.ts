import { resources } from '#lib/spec/index.ts';
import { defineOperation } from '../define-operation.ts';
import { rule } from '../rules.ts';

/** spec › Verify version. A switch leaves the version alone; if it did not, somebody upgraded meanwhile. */
export const verifyVersion = defineOperation({
  id: 'verify.version',
  title: ({ facts }) => `Check that the cluster still runs Calico ${facts.installation.version}`,
  why: 'The switch leaves the version alone; another one means that somebody upgraded meanwhile.',
  effect: 'none',
  reversible: true,
  appliesTo: ({ facts }) => facts.installation.version !== null,
  needs: () => [
    rule(resources.installations, ['get', 'list', 'watch']),
    rule(resources.clusterInformations, ['get', 'list']),
  ],
  act: { kind: 'verify' },
  done: ({ facts }) => ({ kind: 'version', equals: facts.installation.version ?? '' }),
  usualSeconds: 2,
  deadlineSeconds: 120,
});
