import { resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import { shortText } from '../pins/pattern.ts';

const brings = ({ goal }: PlanContext['choices']) => goal === 'install' || goal === 'upgrade';

/** The version after the plan: of the release that an installation or upgrade brings, else the one that was found. */
function versionAfter({ facts, choices, release }: PlanContext): string | null {
  return brings(choices) && release !== null ? release.version : facts.installation.version;
}

/** spec › Verify version. A switch leaves the version alone; if it did not, somebody upgraded meanwhile. */
export const verifyVersion = defineOperation({
  id: 'verify.version',
  title: (context) =>
    brings(context.choices)
      ? `Check that the cluster runs Calico ${versionAfter(context)}`
      : `Check that the cluster still runs Calico ${versionAfter(context)}`,
  why: ({ choices }) =>
    brings(choices)
      ? 'The version that runs is the one that was asked for.'
      : 'The switch does not change the version. Another version means that Calico was upgraded during the run.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => versionAfter(context) !== null,
  mayWrite: () => ({ step: { act: { kind: 'verify' }, done: { kind: 'version', equals: shortText } } }),
  needs: () => [
    rule(resources.installations, ['get', 'list', 'watch']),
    rule(resources.clusterInformations, ['get', 'list']),
  ],
  act: { kind: 'verify' },
  done: (context) => ({ kind: 'version', equals: versionAfter(context) ?? '' }),
  usualSeconds: 2,
  deadlineSeconds: 120,
});
