import type { Finding, Findings } from '#lib/checks/index.ts';
import { xmlAttribute, xmlText } from '#lib/text/index.ts';

/** JUnit XML as CI systems read it: a blocking fail is a failure, an unknown is an error, others pass or are skipped. */
export function findingsAsJunit(findings: Findings): string {
  const cases = findings.findings.map((finding) => testCase(finding));
  const failures = findings.findings.filter((one) => outcome(one) === 'failure').length;
  const errors = findings.findings.filter((one) => outcome(one) === 'error').length;
  const skipped = findings.findings.filter((one) => outcome(one) === 'skipped').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="signalbox check" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}">`,
    `  <testsuite name="${xmlAttribute(`${findings.goal} on ${findings.cluster}`)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function outcome(finding: Finding): 'failure' | 'error' | 'skipped' | 'pass' {
  if (finding.status === 'skipped' || finding.followsFrom !== null) return 'skipped';
  if (finding.acknowledged !== null || finding.fixedBy !== null || finding.status === 'pass') return 'pass';
  return finding.status === 'unknown' ? 'error' : finding.severity === 'info' ? 'pass' : 'failure';
}

function testCase(finding: Finding): string {
  const open = `    <testcase classname="${xmlAttribute(finding.group)}" name="${xmlAttribute(finding.id)}"`;
  const kind = outcome(finding);
  if (kind === 'pass') return `${open}/>`;
  if (kind === 'skipped') {
    const why = finding.followsFrom === null ? finding.because : `Does not apply while ${finding.followsFrom} fails.`;
    return `${open}><skipped message="${xmlAttribute(why)}"/></testcase>`;
  }
  const subjects = finding.subjects.map((subject) => `${subject.kind}/${subject.name}: ${subject.detail}`).join('\n');
  return `${open}><${kind} type="${xmlAttribute(finding.severity)}" message="${xmlAttribute(finding.because)}">${xmlText([subjects, finding.consequence, ...finding.remedy.steps].filter(Boolean).join('\n'))}</${kind}></testcase>`;
}
