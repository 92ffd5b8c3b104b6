import type { Subject } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { defineCheck } from './check.ts';
import { felixEvidence, felixField } from './reading/felix.ts';
import { namesOf } from './reading/subject-names.ts';
import { agreeing, counted } from './wording/sentences.ts';

export const featureFloatingIps = defineCheck({
  id: 'feature.floating-ips',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['floatingIps', 'felix'],
  title: 'No floating IPs are in use',
  consequence:
    'eBPF mode has no floating IPs: the pods stop being reachable at these addresses at the moment of the switch.',
  remedy: {
    steps: [
      `Give the pods a Service instead, and remove the annotation ${names.floatingIpsAnnotation}.`,
      'Set floatingIPs in FelixConfiguration default to Disabled.',
      'Check again.',
    ],
  },
  source: 'spec › Limits › Unsupported features',
  run: (facts) => {
    const pods = facts.features.floatingIps;
    const enabled = felixField(facts, 'floatingIPs') === 'Enabled';
    if (pods.length === 0 && !enabled) return { kind: 'pass' };
    const felix: Subject[] = enabled
      ? [
          {
            kind: 'FelixConfiguration',
            namespace: null,
            name: names.felixConfiguration,
            detail: 'floatingIPs is Enabled',
          },
        ]
      : [];
    const inUse =
      pods.length > 0
        ? `${counted(pods.length, 'pod')} ${agreeing(pods.length, 'has', 'have')} floating IPs: ${namesOf(pods)}`
        : null;
    const setting = enabled ? 'floatingIPs is Enabled in FelixConfiguration default' : null;
    return {
      kind: 'fail',
      because: `${[inUse, setting].filter((part) => part !== null).join('; ')}.`,
      subjects: [...pods, ...felix],
      evidence: [
        ...(enabled ? [felixEvidence(facts, 'floatingIPs')] : []),
        ...pods.slice(0, 50).map(({ namespace, name, detail }) => ({
          object: `${namespace}/Pod/${name}`,
          path: `metadata.annotations['${names.floatingIpsAnnotation}']`,
          value: detail,
        })),
      ],
    };
  },
});
