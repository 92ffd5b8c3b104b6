import { agreeing, counted, inList } from '#lib/base/words.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { isManifestInstall } from '../reading/installation.ts';
import { releasesThrough } from '../upgrade/upgrade-path.ts';
import { listed } from '../wording/sentences.ts';

/** The names of ImageSets for Calico begin with this; the operator ignores ImageSets of other products. */
const prefix = 'calico-';

export const installImageset = defineUpgradeCheck({
  id: 'install.imageset',
  severity: 'blocking',
  reads: ['imageSets'],
  title: 'No ImageSet is of another version',
  gap: 'An ImageSet is of another version',
  topic: 'ImageSets',
  ifIgnored: 'The upgrade stops',
  consequence:
    'While ImageSets exist, but none for its own version, the operator changes nothing: the upgrade stops with Degraded.',
  remedy: {
    steps: [
      'Create an ImageSet of the target with its digests, or delete those of other versions if digests need not be pinned.',
      'Check again.',
    ],
    command: 'kubectl get imagesets.operator.tigera.io -o yaml',
  },
  source: 'pain H11',
  evaluate: ({ to }, facts, choices) => {
    if (isManifestInstall(facts)) {
      return {
        kind: 'skipped',
        because: 'Calico was installed by manifest: no ImageSet is read.',
        restsOn: ['installation'],
      };
    }
    const ours = facts.upgrade.imageSets.filter((name) => name.startsWith(prefix));
    const wanted = [...releasesThrough(facts, choices), to].map((version) => `${prefix}${version}`);
    const lacking = wanted.filter((name) => !ours.includes(name));
    if (ours.length === 0) return { kind: 'pass', because: 'There is no ImageSet.' };
    if (lacking.length === 0)
      return { kind: 'pass', because: `ImageSet ${inList(wanted)} ${agreeing(wanted.length, 'is', 'are')} there.` };
    const isAks = facts.platform.kind === 'aks';
    const others = ours.filter((name) => !wanted.includes(name));
    return {
      kind: 'fail',
      because:
        others.length === 0
          ? `There is no ImageSet ${inList(lacking)}, by which the upgrade goes.`
          : `${counted(others.length, 'ImageSet')} ${agreeing(others.length, 'is', 'are')} of another version (${listed(others)}), and there is no ${inList(lacking)}.`,
      subjects: ours.map((name) => ({ kind: 'ImageSet', namespace: null, name, detail: `not of ${to}` })),
      remedy: isAks
        ? {
            steps: [
              'On AKS the add-on owns Calico and rewrites this ImageSet: leave the upgrade to AKS, or turn the add-on off first.',
              'Check again.',
            ],
            command: installImageset.remedy.command ?? '',
          }
        : {
            steps: [
              `Make an ImageSet ${inList(lacking)} with the digests of that release, beside what is there: the operator needs the old one until then.`,
              `If digests need not be pinned, delete ${agreeing(ours.length, 'it', 'them')}.`,
              'Check again.',
            ],
            command: `kubectl get imagesets.operator.tigera.io ${ours.slice(0, 5).map(shellWord).join(' ')} -o yaml`,
          },
      evidence: ours.map((name) => ({ object: `ImageSet/${name}`, path: 'metadata.name', value: name })),
    };
  },
});
