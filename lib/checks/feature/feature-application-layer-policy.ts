import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';

export const featureApplicationLayerPolicy = defineCheck({
  id: 'feature.application-layer-policy',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['applicationLayerPolicies'],
  title: 'No application layer policy is in use',
  gap: 'Application layer policy is in use',
  topic: 'Application layer policy',
  ifIgnored: 'What these policies deny gets through',
  consequence: 'From the switch on, rules about requests are not enforced: requests that they deny get through.',
  remedy: {
    steps: ['Replace them by rules about addresses and ports where you can, then turn this off here.', 'Check again.'],
    details: ['Move the other rules to the service mesh or the gateway.'],
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ features: { applicationLayerPolicies } }) => {
    if (applicationLayerPolicies.length === 0) return { kind: 'pass' };
    return {
      kind: 'fail',
      because: `${counted(applicationLayerPolicies.length, 'object')} ${agreeing(applicationLayerPolicies.length, 'uses', 'use')} application layer policy: ${kindsAndNamesOf(applicationLayerPolicies)}.`,
      subjects: applicationLayerPolicies,
      evidence: subjectEvidence(applicationLayerPolicies, 'spec'),
    };
  },
});
