import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';

export const featureSctp = defineCheck({
  id: 'feature.sctp',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['sctp'],
  title: 'Nothing uses SCTP',
  gap: 'SCTP is in use',
  topic: 'SCTP',
  ifIgnored: 'SCTP Services stop answering',
  consequence:
    'eBPF mode does not translate SCTP: from the switch on, these Services do not answer, and SCTP rules do not match.',
  remedy: {
    steps: [
      'Move these Services and rules to TCP or UDP, or keep the standard data plane on this cluster.',
      'Check again.',
    ],
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ features: { sctp } }) => {
    if (sctp.length === 0) return { kind: 'pass' };
    return {
      kind: 'fail',
      because: `${counted(sctp.length, 'object')} ${agreeing(sctp.length, 'uses', 'use')} SCTP: ${kindsAndNamesOf(sctp)}.`,
      subjects: sctp,
      evidence: subjectEvidence(sctp, 'spec'),
    };
  },
});
