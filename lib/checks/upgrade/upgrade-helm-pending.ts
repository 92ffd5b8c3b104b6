import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { helmRecordResource, helmSecretName, helmWords } from '#lib/spec/index.ts';
import { shellLine } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { whereCalicoRuns } from '../framework/upgrade-check.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { listed } from '../wording/sentences.ts';

export const upgradeHelmPending = defineCheck({
  id: 'upgrade.helm-pending',
  group: 'Installation and upgrade',
  severity: 'blocking',
  goals: ['upgrade'],
  reads: ['installation', 'helm'],
  title: 'Every Helm release is deployed',
  gap: 'A Helm release is unfinished or failed',
  topic: 'State of the Helm releases',
  ifIgnored: 'Objects of both releases are left',
  consequence:
    'Helm refuses to change a pending release: "another operation is in progress". An upgrade beside it leaves objects of both. A failed change has left some of its objects, and no state to go back to.',
  remedy: {
    steps: [
      'Wait if Helm is still working; otherwise roll back to the last revision that was deployed.',
      'Check again.',
    ],
  },
  source: 'checks.md › Installation and upgrade',
  appliesTo: (facts) =>
    isManifestInstall(facts)
      ? { because: 'Calico was installed by manifest: Helm has no part in it.', restsOn: ['installation'] }
      : whereCalicoRuns(facts),
  run: ({ resources: { helmReleases } }) => {
    const pending = helmReleases.filter(({ status }) => status.startsWith('pending') || status === 'failed');
    if (pending.length > 0) {
      return {
        kind: 'fail',
        because: `Helm holds ${agreeing(pending.length, 'a release', 'releases')} for unfinished: ${listed(pending.map(({ namespace, name, status }) => `${namespace}/${name} (${status})`))}.`,
        subjects: pending.map(({ namespace, name, status, revision }) => ({
          kind: 'HelmRelease',
          namespace,
          name,
          detail: `revision ${revision} is ${status}`,
        })),
        remedy: {
          ...upgradeHelmPending.remedy,
          command: pending.map(settling).join('\n'),
        },
        evidence: pending.map(({ namespace, name, revision, status, driver }) => ({
          object: `${namespace}/${helmRecordResource(driver).kind}/${helmSecretName(name, revision)}`,
          path: 'info.status',
          value: status,
        })),
      };
    }
    const unread = helmReleases.filter(({ status }) => status === 'unknown' || status === '');
    if (unread.length > 0) {
      return {
        kind: 'unknown',
        because: `Helm's records of ${listed(unread.map(({ namespace, name }) => `${namespace}/${name}`))} could not be read.`,
      };
    }
    return { kind: 'pass' };
  },
});

/** A rollback to the revision that was deployed last; if none is known, first a look at Helm's history. */
function settling(release: Facts['resources']['helmReleases'][number]): string {
  const { name, namespace, deployedBefore } = release;
  const verb = deployedBefore === undefined ? ['history', name] : ['rollback', name, `${deployedBefore}`];
  return shellLine(...helmWords(release, [...verb, '--namespace', namespace]));
}
