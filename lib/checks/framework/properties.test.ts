import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialsEndpoint, goals } from '#lib/spec/index.ts';
import { checks } from '../checks.ts';
import { findingsSchema } from '../findings.ts';
import { uncover } from '../testing/a-facts.ts';
import { runAll } from '../testing/find.ts';
import { fixes } from '../testing/fixes.ts';
import { notForHere } from '../testing/remedy-rules.ts';
import { anyChoices, someFacts } from '../testing/some-facts.ts';

const runs = { numRuns: 100 };
const strictness = { pass: 0, skipped: 0, unknown: 1, fail: 2 } as const;
const verdictOrder = { ready: 0, 'needs-answers': 1, blocked: 2 } as const;

test('no facts make a check throw, and what is said holds no control characters', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const findings = runAll(facts, choices);
      expect(findingsSchema.parse(findings)).toEqual(findings);
      for (const { id, title, because, subjects, remedy, status, severity, followsFrom } of findings.findings) {
        // The passing sentence belongs to a pass alone that does not wait for another finding, and a question is no sentence.
        expect(title === checks.find((check) => check.id === id)?.title).toBe(
          status === 'pass' && followsFrom === null,
        );
        expect(because).not.toMatch(/(?:^|[.!] )(?:Whether|What|Which|How|Where) (?!.*\?)/);
        expect(because).not.toContain('a fault of its own');
        expect(because).not.toMatch(/\p{Cc}|\bundefined\b|\[object /u);
        expect(because).toMatch(/^\S.*[.…]$/u);
        for (const { name, detail, kind } of subjects) expect(`${kind}${name}${detail}`).not.toMatch(/\p{Cc}/u);
        expect(remedy.command ?? '').not.toMatch(/[^\P{Cc}\n]/u);
        if (status === 'fail') expect(subjects.length).toBeGreaterThan(0);
        if (remedy.autofix !== undefined) expect(fixes).toContain(remedy.autofix);
        if (remedy.autofix !== undefined && status === 'fail') expect(severity).not.toBe('info');
      }
    }),
    runs,
  );
});

test('the endpoint is dialled for the goals whose checks read what was seen there, and for no others', () => {
  const reading = checks.filter(({ reads }) => reads.includes('endpointProbe')).flatMap((check) => check.goals);
  expect(goals.filter(dialsEndpoint)).toEqual(goals.filter((goal) => reading.includes(goal)));
});

test('reading less never turns a fail or an unknown into a pass, and a pass never into a fail', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, fc.nat(), (facts, choices, pick) => {
      const check = checks[pick % checks.length];
      if (!check?.goals.includes(choices.goal)) return;
      const statusOf = (of: typeof facts) =>
        runAll(of, choices).findings.find(({ id }) => id === check.id)?.status ?? 'skipped';
      const before = statusOf(facts);
      for (const key of check.reads) {
        const after = statusOf(uncover(facts, key));
        if (before === 'fail' || before === 'unknown') expect(['fail', 'unknown']).toContain(after);
        else expect(strictness[after]).toBeLessThanOrEqual(strictness.unknown);
      }
    }),
    runs,
  );
});

test('acknowledging changes neither a status nor a count, and only ever helps the verdict', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const bare = runAll(facts, { ...choices, acknowledge: {} });
      const acknowledged = runAll(facts, choices);
      expect(acknowledged.counts).toEqual(bare.counts);
      expect(verdictOrder[acknowledged.verdict]).toBeLessThanOrEqual(verdictOrder[bare.verdict]);
    }),
    runs,
  );
});

test('taking a fix changes neither a status nor a count, and only ever helps the verdict', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const bare = runAll(facts, { ...choices, fix: [] });
      const fixed = runAll(facts, choices);
      expect(fixed.counts).toEqual(bare.counts);
      expect(verdictOrder[fixed.verdict]).toBeLessThanOrEqual(verdictOrder[bare.verdict]);
    }),
    runs,
  );
});

test('a remedy is what this reader can do on this platform', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const { findings } = runAll(facts, choices);
      expect(findings.flatMap((finding) => notForHere(finding, { facts, choices }))).toEqual([]);
    }),
    { numRuns: 300, seed: 20261123 },
  );
});

test('a blocking fail without a fix blocks, whatever was acknowledged', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const { findings, verdict } = runAll(facts, choices);
      const blocks = findings.some(
        ({ status, severity, fixedBy }) => status === 'fail' && severity === 'blocking' && fixedBy === null,
      );
      expect(verdict === 'blocked').toBe(blocks);
    }),
    runs,
  );
});
