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
  consequence:
    'Rules about requests are no longer enforced: what they deny is let through from the moment of the switch.',
  remedy: {
    steps: ['Say in rules about addresses and ports what they can say, then turn this off here.', 'Check again.'],
    details: ['The rest of these rules belongs into the mesh or the gateway.'],
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
