import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';

export const featureWaf = defineCheck({
  id: 'feature.waf',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['waf'],
  title: 'No web application firewall is in use',
  gap: 'A web application firewall is in use',
  topic: 'Web application firewall',
  ifIgnored: 'The firewall lets every request through',
  consequence: 'From the switch on, the firewall does not see the requests, and lets everything through.',
  remedy: {
    steps: ['Put a firewall in front of the cluster, and turn this off here.', 'Check again.'],
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ features: { waf } }) => {
    if (waf.length === 0) return { kind: 'pass' };
    return {
      kind: 'fail',
      because: `${counted(waf.length, 'object')} ${agreeing(waf.length, 'uses', 'use')} the web application firewall: ${kindsAndNamesOf(waf)}.`,
      subjects: waf,
      evidence: subjectEvidence(waf, 'spec'),
    };
  },
});
