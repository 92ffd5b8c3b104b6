import { agreeing, counted } from '#lib/base/words.ts';
import { releaseAtLeast } from '#lib/spec/index.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { withDetails } from '../reading/subject-names.ts';

const byTemplate: Record<string, string> = {
  true: ', in its own template: a restart keeps it',
  unknown: '; whether its own template has it, so that a restart keeps it, could not be read',
};

export const upgradeSidecars = defineUpgradeCheck({
  id: 'upgrade.sidecars',
  severity: 'info',
  reads: ['sidecars'],
  title: 'Sidecars of application layer policy are of the target release',
  gap: 'Sidecars are of another release',
  topic: 'Sidecars',
  ifIgnored: "Sidecars lack this release's fixes",
  consequence:
    'An upgraded agent works with older sidecars, so connections continue. Until they are rolled, they lack the fixes of the new release.',
  remedy: {
    steps: [
      'Roll them after the upgrade, by the same plan: `--afterwards sidecars`.',
      "By hand: apply the injector's new template, then restart these workloads one by one.",
      "Where a workload's own template has the sidecar, write the new image there.",
    ],
  },
  source: 'spec › Versioning',
  evaluate: ({ to }, { upgrade: { sidecars } }) => {
    if (sidecars.length === 0)
      return {
        kind: 'pass',
        because:
          'No pod carries such a sidecar from Istio’s injector, and no Deployment, DaemonSet or StatefulSet has one in its template. Those of another injector are not looked for.',
      };
    return failOnAny({
      all: sidecars,
      noun: 'workload',
      subject: ({ subject }, detail) => ({ ...subject, detail }),
      evaluate: ({ version, image, inTemplate }) => {
        const isNew = version === null ? 'undecided' : releaseAtLeast(version, to);
        if (isNew === 'undecided') return { undecided: `its sidecar ${image} names no version` };
        if (isNew === 'yes') return null;
        return `its sidecar is of ${version}${inTemplate === undefined ? '' : byTemplate[String(inTemplate)]}`;
      },
      because: (failing) =>
        `${counted(failing.length, 'workload')} ${agreeing(failing.length, 'carries', 'carry')} sidecars older than ${to}: ${withDetails(failing)}.`,
      evidence: ({ subject, image }) => [
        {
          object: `${subject.namespace}/${subject.kind}/${subject.name}`,
          path: 'spec.containers[dikastes].image',
          value: image,
        },
      ],
    });
  },
});
