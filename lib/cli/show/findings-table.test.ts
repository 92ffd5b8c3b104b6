import { expect, test } from 'vitest';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import { runAll } from '#lib/checks/testing/find.ts';
import { type FlagsByProgram, flagsByProgram, noFlags } from '#lib/text/index.ts';
import { plain } from '../terminal/terminal.ts';
import { findingsTable } from './findings-table.ts';

const findings = runAll(aFacts({ proxy: { running: false } }));
const terminal = { paint: plain, columns: 200 } as never;
const shown = (on: FlagsByProgram) => findingsTable(findings, terminal, 'open', { on });

test('a command stands below the step that it belongs to, before the cluster is checked again', () => {
  const remedy = { steps: ['Fix it.', 'Check again.'], details: ['It takes a minute.'], command: 'kubectl fix' };
  const [first] = findings.findings.filter(({ status }) => status === 'fail');
  if (!first) throw new Error('none fails');
  const text = findingsTable({ ...findings, findings: [{ ...first, remedy }] }, terminal, 'open');
  expect(text).toContain(
    '    → Fix it.\n      It takes a minute.\n      kubectl fix\n    → Check again.\n    → Or accept it: ',
  );
});

test('every line of a command stands as far in, but for one with a document, which begins where its lines do', () => {
  const [first] = findings.findings.filter(({ status }) => status === 'fail');
  if (!first) throw new Error('none fails');
  const of = (command: string) =>
    findingsTable({ ...findings, findings: [{ ...first, remedy: { steps: ['Fix it.'], command } }] }, terminal, 'open');
  expect(of('kubectl get x\nkubectl get y')).toContain('\n      kubectl get x\n      kubectl get y\n');
  expect(of("kubectl apply -f - <<'EOF'\na: b\nEOF")).toContain("\n      kubectl apply -f - <<'EOF'\na: b\nEOF\n");
});

test('commands of kubectl are for the cluster that was looked at, in sentences too', () => {
  const remedy = { steps: ['Fix it: `kubectl edit x`.'], command: 'kubectl get x | grep y' };
  const [first] = findings.findings.filter(({ status }) => status === 'fail');
  if (!first) throw new Error('none fails');
  const of = (on: FlagsByProgram) =>
    findingsTable({ ...findings, findings: [{ ...first, remedy }] }, terminal, 'open', { on });
  expect(of(flagsByProgram({ context: 'prod' }))).toContain(
    '    → Fix it: `kubectl --context prod edit x`.\n      kubectl --context prod get x | grep y\n',
  );
  expect(of(noFlags)).toContain('      kubectl get x | grep y\n');
});

test('commands of Signalbox are for the cluster that was looked at', () => {
  const on = ' --sandbox standard';
  const ours = shown(flagsByProgram({ sandbox: 'standard' }))
    .split('\n')
    .filter((line) => line.trim().startsWith('signalbox ') || line.includes('`signalbox '));
  expect(ours.length).toBe(2);
  for (const line of ours) expect(line).toContain(on);
  expect(shown(noFlags)).not.toContain('--sandbox');
});
