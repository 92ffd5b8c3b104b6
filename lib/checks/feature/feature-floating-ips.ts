import { agreeing, counted } from '#lib/base/words.ts';
import { names } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { namesOf, subjectEvidence } from '../reading/subject-names.ts';
import { sentence } from '../wording/sentences.ts';

export const featureFloatingIps = defineCheck({
  id: 'feature.floating-ips',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['floatingIps'],
  title: 'No floating IPs are in use',
  gap: 'Floating IPs are in use',
  topic: 'Floating IPs',
  ifIgnored: 'These addresses stop answering',
  consequence: 'eBPF mode has no floating IPs: from the switch on, pods no longer answer at these addresses.',
  remedy: {
    steps: [
      `Give the pods a Service instead, and remove the annotation ${names.floatingIpsAnnotation}.`,
      'Set floatingIPs to Disabled in FelixConfiguration.',
      'Check again.',
    ],
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ features: { floatingIps } }) => {
    if (floatingIps.length === 0) return { kind: 'pass' };
    const settings = floatingIps.filter(({ kind }) => kind === 'FelixConfiguration');
    const users = floatingIps.filter(({ kind }) => kind !== 'FelixConfiguration');
    const inUse =
      users.length > 0
        ? `${counted(users.length, 'pod')} ${agreeing(users.length, 'has', 'have')} floating IPs: ${namesOf(users)}`
        : null;
    const allowed = settings.length > 0 ? `floating IPs are Enabled in FelixConfiguration ${namesOf(settings)}` : null;
    return {
      kind: 'fail',
      because: sentence([inUse, allowed].filter((part) => part !== null).join('; ')),
      subjects: floatingIps,
      evidence: [
        ...subjectEvidence(settings, 'spec.floatingIPs'),
        ...subjectEvidence(users, `metadata.annotations['${names.floatingIpsAnnotation}']`),
      ],
    };
  },
});
