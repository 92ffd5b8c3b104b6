import { type PlatformKind, platforms } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { listed, sentence } from '../wording/sentences.ts';

/** Steps for a platform that was chosen but not detected: the choice may be wrong, and the cluster supported. */
const meantAnother = [
  'Choose the platform that this cluster runs on, or leave it to what is detected.',
  'Check again.',
];

/** Checks both the chosen and the detected platform: choosing another one does not make GKE work. */
export const platformSupported = defineCheck({
  id: 'platform.supported',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable'],
  // Only nodes tell TKG and RKE from kubeadm and plain clusters.
  reads: ['platform', 'nodes'],
  title: 'eBPF mode is supported on this platform',
  gap: 'eBPF is not supported on this platform',
  topic: 'Platform',
  ifIgnored: 'The provider restores its own network',
  consequence:
    'The provider restores its own network, or keeps the nodes in a state that eBPF mode cannot work with. Neither Calico nor the provider supports this.',
  remedy: {
    steps: [
      'Stay on the standard data plane on this platform.',
      'Move the workloads to a cluster on a platform that supports eBPF mode.',
    ],
  },
  source: 'spec › Limits',
  run: ({ platform }, choices) => {
    const kinds = [...new Set<PlatformKind>(choices.platform ? [choices.platform, platform.kind] : [platform.kind])];
    const unsupported = kinds.filter((kind) => !platforms[kind].ebpf.supported);
    if (unsupported.length > 0) {
      const titles = listed(unsupported.map((kind) => platforms[kind].title));
      const isDetected = unsupported.includes(platform.kind);
      return {
        kind: 'fail',
        because: isDetected
          ? `This cluster runs on ${titles}, where eBPF mode is not supported.`
          : `${titles} was chosen, where eBPF mode is not supported; what was read shows ${platforms[platform.kind].title}.`,
        ...(isDetected ? {} : { remedy: { steps: [...meantAnother], fixIn: 'platform' as const } }),
        subjects: unsupported.map((kind) => ({
          kind: 'Platform',
          namespace: null,
          name: platforms[kind].title,
          detail: kind === platform.kind ? 'detected' : 'chosen',
        })),
        evidence: platform.evidence,
      };
    }
    const { title, ebpf } = platforms[kinds[0] ?? platform.kind];
    const note = ebpf.supported && ebpf.note ? ` ${sentence(ebpf.note)}` : '';
    return {
      kind: 'pass',
      because: `eBPF mode is supported on ${title}.${note}`,
      evidence: platform.evidence,
      ...(choices.platform ? { restsOn: [] } : {}),
    };
  },
});
