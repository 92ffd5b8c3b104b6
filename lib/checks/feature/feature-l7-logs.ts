import { agreeing, counted } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';

export const featureL7Logs = defineCheck({
  id: 'feature.l7-logs',
  group: 'Features',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['l7Logs'],
  title: 'No L7 logs are collected',
  gap: 'L7 logs are collected',
  topic: 'L7 logs',
  ifIgnored: 'L7 logs stop',
  consequence: 'The logs stop, because eBPF mode bypasses the proxy that writes them.',
  remedy: {
    steps: ['Use flow logs, which need no proxy, and turn this off here.', 'Check again.'],
  },
  source: 'spec › Limits › Unsupported features',
  run: ({ features: { l7Logs } }) => {
    if (l7Logs.length === 0) return { kind: 'pass' };
    return {
      kind: 'fail',
      because: `${counted(l7Logs.length, 'object')} ${agreeing(l7Logs.length, 'collects', 'collect')} L7 logs: ${kindsAndNamesOf(l7Logs)}.`,
      subjects: l7Logs,
      evidence: subjectEvidence(l7Logs, 'spec'),
    };
  },
});
