import { agreeing } from '#lib/base/words.ts';
import { defineCheck } from '../check.ts';
import { subjectEvidence } from '../reading/subject-names.ts';
import { listed } from '../wording/sentences.ts';

/** Information only: the plan takes over objects that exist already, whoever created them (operations.md › Install). */
export const installHalfFinished = defineCheck({
  id: 'install.half-finished',
  group: 'Installation and upgrade',
  severity: 'info',
  causedByRuns: true,
  goals: ['install'],
  reads: ['unfinished'],
  title: 'No unfinished installation here',
  gap: 'An earlier installation was not finished',
  topic: 'Earlier installation',
  ifIgnored: 'Undo leaves what others made',
  consequence:
    'The plan continues with the existing objects. An undo of this run removes only what this run created; you remove the rest.',
  remedy: {
    steps: ['Continue, unless somebody else is installing right now.'],
    fixIn: 'goal',
  },
  source: 'calico.md §9; pain G5',
  run: ({ installation: { unfinished } }) => {
    if (unfinished === null) return { kind: 'pass', because: 'No installation was left half-finished.' };
    const { has, lacks } = unfinished;
    const leaving = lacks.find(({ detail }) => detail === 'is being deleted');
    const missing = lacks.filter((one) => one !== leaving);
    const names = (some: typeof has) =>
      listed(
        some.map(({ kind, name }) => `${kind} ${name}`),
        6,
      );
    return {
      kind: 'fail',
      severity: leaving ? 'warning' : 'info',
      because: leaving
        ? `Calico is being uninstalled: Installation ${leaving.name} is being deleted, and ${names(has)} ${agreeing(has.length, 'is', 'are')} still there. Wait until it is gone.`
        : `An installation was begun: ${names(has)} ${agreeing(has.length, 'is', 'are')} there, ${names(missing)} ${agreeing(missing.length, 'is', 'are')} not. This plan continues it.`,
      subjects: has,
      evidence: subjectEvidence(
        has.map((subject) => ({ ...subject, detail: subject.name })),
        'metadata.name',
      ),
    };
  },
});
