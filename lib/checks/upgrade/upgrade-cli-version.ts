import { agreeing, counted } from '#lib/base/words.ts';
import { compareNumbers, parseRelease } from '#lib/spec/index.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { withDetails } from '../reading/subject-names.ts';

export const upgradeCliVersion = defineUpgradeCheck({
  id: 'upgrade.cli-version',
  severity: 'warning',
  reads: ['calicoctls'],
  title: 'The network CLI in the cluster is of the target release',
  gap: 'calicoctl in the cluster is of another release',
  topic: 'calicoctl in the cluster',
  ifIgnored: 'calicoctl refuses to work',
  consequence:
    'The network CLI, calicoctl, refuses to work with a cluster of another release. If forced, an older calicoctl writes data that the new release does not expect.',
  remedy: {
    steps: ['Accept this, and replace calicoctl everywhere after the upgrade.'],
  },
  source: 'spec › Versioning; pain H19',
  evaluate: ({ to }, facts) => {
    const { calicoctls } = facts.upgrade;
    if (calicoctls.length === 0) {
      return {
        kind: 'pass',
        because: `No pod runs calicoctl. Copies on your own machines are not checked: they have to be ${to} after the upgrade.`,
      };
    }
    return failOnAny({
      all: calicoctls,
      noun: 'pod',
      subject: ({ subject }, detail) => ({ ...subject, detail }),
      evaluate: ({ version, image }) => {
        const own = version === null ? null : parseRelease(version);
        if (own === null) return { undecided: `its image ${image} names no version` };
        return compareNumbers(own, parseRelease(to) ?? []) === 0 ? null : `calicoctl ${version}, ${to} is needed`;
      },
      because: (failing) =>
        `${counted(failing.length, 'pod')} ${agreeing(failing.length, 'runs', 'run')} calicoctl of another release: ${withDetails(failing)}.`,
      pass: `calicoctl is of ${to} in every pod that runs it.`,
      evidence: ({ subject, image }) => [
        { object: `${subject.namespace}/Pod/${subject.name}`, path: 'spec.containers[].image', value: image },
      ],
    });
  },
});
