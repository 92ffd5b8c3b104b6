import { agreeing, counted } from '#lib/base/words.ts';
import { releaseAtLeast } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { kindsAndNamesOf, subjectEvidence } from '../reading/subject-names.ts';

/** calico.md §10: from v3.30 on the verdict goes to the trace pipe; the spec still lists the action as unsupported. */
const tracedFrom = 'v3.30.0';

const whatHappens = {
  yes: 'In eBPF mode their lines go to the BPF trace pipe of the node, no longer to the kernel log.',
  no: 'In eBPF mode this release ignores them.',
  undecided: 'In eBPF mode they are ignored before v3.30, and written to the BPF trace pipe of the node from v3.30 on.',
} as const;

export const featureLogAction = defineCheck({
  id: 'feature.log-action',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['logActions'],
  title: 'No policy relies on the action Log',
  gap: 'Policies use the action Log',
  topic: 'Policies with the action Log',
  ifIgnored: 'These lines leave the kernel log',
  consequence: 'These lines stop in the kernel log after the switch. The policies still allow and deny as before.',
  remedy: {
    steps: ['Use flow logs instead (from v3.30), or accept this.'],
    fixIn: 'compatibility',
  },
  source: 'spec › Limits › Unsupported features; calico.md §10',
  run: ({ features: { logActions }, installation: { version } }, { release }) => {
    if (logActions.length === 0) return { kind: 'pass' };
    const target = release ?? version;
    const traced = target === null ? 'undecided' : releaseAtLeast(target, tracedFrom);
    return {
      kind: 'fail',
      because: `${counted(logActions.length, 'policy', 'policies')} ${agreeing(logActions.length, 'has', 'have')} rules with the action Log: ${kindsAndNamesOf(logActions)}. ${whatHappens[traced]}`,
      subjects: logActions,
      evidence: subjectEvidence(logActions, 'spec'),
    };
  },
});
