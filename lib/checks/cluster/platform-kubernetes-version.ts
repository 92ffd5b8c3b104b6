import { kubernetesFit, testedWithOf } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';

/** Kubernetes may be too old or too new for the release. */
export const platformKubernetesVersion = defineCheck({
  id: 'platform.kubernetes-version',
  group: 'Platform and permissions',
  severity: 'warning',
  goals: ['install', 'upgrade'],
  reads: ['cluster', 'installation'],
  title: 'The release is tested with this version of Kubernetes',
  gap: 'The release is not tested with this Kubernetes',
  topic: 'Kubernetes version',
  ifIgnored: 'The release may lack an API it needs',
  consequence: 'The combination is untested: an API that the release needs may be missing or already removed.',
  remedy: {
    steps: [
      'Choose a release of Calico that is tested with this version of Kubernetes, or upgrade Kubernetes first.',
      'Check again, or accept this after a test on another cluster.',
    ],
    command: 'kubectl version',
    fixIn: 'goal',
  },
  source: 'checks.md › Installation and upgrade',
  run: (facts, choices) => {
    const { kubernetesVersion, evidence } = facts.cluster;
    const release = targetRelease(facts, choices);
    if (release === null) return { kind: 'skipped', because: 'No release is chosen yet.', restsOn: ['installation'] };
    const tested = testedWithOf(release.startsWith('v') ? release : `v${release}`);
    if (tested === null)
      return {
        kind: 'pass',
        because: `Signalbox has no list of versions that ${releaseName(release)} is tested with.`,
        restsOn: [],
      };
    const fit = kubernetesFit(tested, kubernetesVersion);
    if (fit === 'unknown') return { kind: 'unknown', because: 'The version of Kubernetes was not read.' };
    const range = `${tested.from} to ${tested.to}`;
    if (fit === 'yes')
      return { kind: 'pass', because: `${releaseName(release)} is tested with Kubernetes ${range}.`, evidence };
    return {
      kind: 'fail',
      because: `This is Kubernetes ${kubernetesVersion}, and ${releaseName(release)} is tested with ${range}: it is ${fit}.`,
      subjects: [{ kind: 'Kubernetes', namespace: null, name: kubernetesVersion ?? '', detail: `${range} is tested` }],
      evidence,
    };
  },
});
