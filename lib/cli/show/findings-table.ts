import { agreeing, counted, inList } from '#lib/base/words.ts';
import {
  countsOf,
  type Finding,
  type Findings,
  isBlocking,
  isMeasurable,
  lackWords,
  needsAnswer,
  notMeasuredGroup,
  remedyWithClusterFlags,
  sameCause,
  withheldAmong,
  withheldTogether,
} from '#lib/checks/index.ts';
import { type FlagsByProgram, noFlags, shellWord, visible, visibleLine, withClusterFlags } from '#lib/text/index.ts';
import { type Colour, type Terminal, wrap } from '../terminal/terminal.ts';
import { withheldLines } from './withheld-findings.ts';

/** The findings, worst first: blocking ones, open questions, notes. Passed and skipped checks are counted, and listed with `all`. */
export function findingsTable(
  findings: Findings,
  terminal: Terminal,
  which: 'open' | 'all',
  overrides: Partial<TableWords> = {},
): string {
  const words: TableWords = { accepted: 'accepted', on: noFlags, ...overrides };
  const { paint, columns } = terminal;
  const followUps = findings.findings.filter((one) => one.followsFrom !== null);
  const own = findings.findings.filter((one) => one.followsFrom === null);
  const open = own.filter((one) => one.status === 'fail' || one.status === 'unknown');
  const rest = own.filter((one) => one.status === 'pass' || one.status === 'skipped');
  const withheld = withheldTogether(findings, words.on);
  const shown = open.filter((one) => !withheld?.findings.includes(one)).sort((a, b) => rank(a) - rank(b));
  const { fail, unknown, pass, skipped } = countsOf(own);
  const notApplying = skipped + followUps.length;
  const outages = open.filter((one) => one.outage).map((one) => one.id);
  const lines = [
    ...(outages.length > 0 ? [paint('red', wrap(`Outage: see ${outages.join(', ')}.`, columns))] : []),
    paint('bold', wrap(verdictWords(findings), columns)),
    ...measurableWords(findings, words),
    wrap(
      `${findings.goal} on ${visibleLine(findings.cluster)}: ${fail.blocking} blocking, ${counted(fail.warning, 'warning')}, ${counted(fail.info, 'note')}, ${unknown} unknown, ${pass} passed, ${notApplying} ${agreeing(notApplying, 'does', 'do')} not apply`,
      columns,
    ),
    '',
    ...shown.flatMap((one) => [describe(one, terminal, words), '']),
    ...(withheld === null ? [] : [...withheldLines(withheld, terminal), '']),
    ...(followUps.length > 0 ? [...followUpLines(followUps, terminal), ''] : []),
    ...(which === 'all'
      ? rest.map(
          (one) =>
            `${mark(one, terminal)} ${one.id}  ${paint('dim', one.status === 'skipped' ? visibleLine(one.because) : one.title)}`,
        )
      : []),
  ];
  return lines.join('\n').trimEnd();
}

/** `accepted`: the source of accepted risks, in words. `on`: the flags that name the cluster in commands. */
type TableWords = { accepted: 'accepted' | 'accepted in plan.json'; on: FlagsByProgram };

/** One line with the findings that follow from another open one. */
function followUpLines(followUps: readonly Finding[], { paint, columns }: Terminal): string[] {
  return [...Map.groupBy(followUps, (one) => one.followsFrom)].map(([cause, of]) => {
    const words = `${counted(of.length, 'check')} ${agreeing(of.length, 'does', 'do')} not apply while ${cause} fails: ${of.map(({ id }) => id).join(', ')}`;
    return `${paint('dim', '–')} ${wrap(words, columns, '  ').trimStart()}`;
  });
}

function verdictWords({ verdict, findings }: Findings): string {
  const withheld = withheldAmong(findings);
  const toAccept = findings.filter((one) => needsAnswer(one) && !withheld.includes(one)).length;
  switch (verdict) {
    case 'ready':
      return 'Ready.';
    case 'needs-answers':
      return [
        `Needs answers: ${[
          toAccept === 0 ? '' : `${counted(toAccept, 'finding')} to accept with --acknowledge ID=REASON, or to fix`,
          withheld.length === 0
            ? ''
            : `${toAccept === 0 ? counted(withheld.length, 'check') : withheld.length} ${lackWords(withheld)}`,
        ]
          .filter((part) => part !== '')
          .join('; ')}.`,
        notMeasuredWords(findings),
      ].join('');
    case 'blocked':
      return `Blocked by ${findings
        .filter((one) => isBlocking(one))
        .map((one) => one.id)
        .join(', ')}.`;
  }
}

/** One command that settles many findings: a test of the nodes. */
function notMeasuredWords(findings: readonly Finding[]): string {
  const waiting = findings.filter((one) => one.notMeasured !== null && needsAnswer(one)).length;
  if (waiting < 2) return '';
  return ` --acknowledge ${notMeasuredGroup}=REASON accepts the ${waiting} that were not measured.`;
}

/** Suggests to measure before accepting risks. */
function measurableWords({ findings }: Findings, { on }: TableWords): string[] {
  const open = findings.filter((one) => isMeasurable(one) && needsAnswer(one)).length;
  return open === 0
    ? []
    : [`${counted(open, 'finding')} can be measured on the nodes: \`${withClusterFlags('signalbox preflight', on)}\``];
}

function rank(finding: Finding): number {
  const answered = finding.acknowledged !== null || finding.fixedBy !== null ? 10 : 0;
  if (finding.outage) return -1;
  if (finding.status === 'unknown') return answered + 2;
  return answered + (finding.severity === 'blocking' ? 0 : finding.severity === 'warning' ? 1 : 3);
}

const subjectsShown = 8;

function describe(finding: Finding, terminal: Terminal, { accepted, on }: TableWords): string {
  const { paint, columns } = terminal;
  const body: string[] = [wrap(visibleLine(finding.because), columns, '    ')];
  // Subjects with the same detail share a line.
  const causes = sameCause(finding.subjects);
  for (const [first, ...others] of causes.slice(0, subjectsShown)) {
    const called =
      others.length === 0
        ? subjectName(first)
        : `${others.length + 1} × ${inList([first, ...others].map(subjectName))}`;
    body.push(wrap(`• ${visibleLine(called)}: ${visibleLine(first.detail)}`, columns, '      ', '        '));
  }
  if (causes.length > subjectsShown) body.push(`      … and ${causes.length - subjectsShown} more (-o json lists all)`);
  if (finding.acknowledged !== null)
    body.push(paint('dim', wrap(`${accepted}: ${visibleLine(finding.acknowledged)}`, columns, '    ')));
  else if (finding.fixedBy !== null) body.push(paint('dim', `    fixed by ${finding.fixedBy}, which is in the plan`));
  else {
    if (finding.verifiedBy !== undefined)
      body.push(wrap(visibleLine(verifiedWords(finding.verifiedBy)), columns, '    '));
    if (finding.status === 'fail') body.push(paint('dim', wrap(finding.consequence, columns, '    ')));
    if (finding.notMeasured !== null)
      body.push(paint('dim', wrap(`how: ${visibleLine(finding.notMeasured)}`, columns, '    ')));
    const { steps, details = [], command } = remedyWithClusterFlags(finding.remedy, on);
    const line = (step: string) => wrap(`→ ${visibleLine(step)}`, columns, '    ', '      ');
    // The command follows the steps; the step to check again comes last.
    const last = steps.at(-1) === checkAgain ? steps.slice(-1) : [];
    body.push(...steps.slice(0, steps.length - last.length).map(line));
    body.push(...details.map((detail) => paint('dim', wrap(visibleLine(detail), columns, '      '))));
    // A document that the command reads from its lines has to begin where they do.
    const indent = command?.includes('<<') ? '' : '      ';
    if (command) body.push(`      ${paint('blue', visible(command).replaceAll('\n', `\n${indent}`))}`);
    body.push(...last.map(line));
    if (finding.status === 'fail' && finding.remedy.autofix)
      body.push(`    → Or add the fix to the plan: ${paint('blue', `--fix ${finding.id}`)}`);
    if (needsAnswer(finding)) body.push(acceptance(finding, terminal));
  }
  return [
    `${mark(finding, terminal)} ${paint('bold', finding.id)}  ${paint('dim', severityWord(finding))}`,
    ...body,
  ].join('\n');
}

const checkAgain = 'Check again.';

function verifiedWords({ because, at, stale }: NonNullable<Finding['verifiedBy']>): string {
  return `${because} ${at.slice(0, 16).replace('T', ' ')} UTC.${stale === null ? '' : ` ${stale}`}`;
}

/** How to accept the finding; an earlier reason is offered for confirmation. */
function acceptance({ id, acceptedBefore }: Finding, { paint }: Terminal): string {
  if (acceptedBefore === undefined) return `    → Or accept it: ${paint('blue', `--acknowledge ${id}='your reason'`)}`;
  const flag = `--acknowledge ${shellWord(`${id}=${acceptedBefore.reason}`)}`;
  return `    → Or accept it again, as for run ${acceptedBefore.run}: ${paint('blue', flag)}`;
}

function subjectName({ kind, namespace, name }: Finding['subjects'][number]): string {
  return namespace ? `${namespace}/${kind}/${name}` : `${kind}/${name}`;
}

function severityWord(finding: Finding): string {
  if (finding.outage) return `outage, ${finding.severity}`;
  return finding.status === 'unknown' ? 'unknown' : finding.severity;
}

/** The sign and the word of a state; colour only repeats them. */
function mark(finding: Finding, { paint }: Terminal): string {
  const [colour, sign]: [Colour, string] =
    finding.status === 'pass'
      ? ['green', '✓']
      : finding.status === 'skipped'
        ? ['dim', '–']
        : finding.status === 'unknown'
          ? ['violet', '?']
          : finding.outage || finding.severity === 'blocking'
            ? ['red', '✗']
            : finding.severity === 'warning'
              ? ['amber', '!']
              : ['blue', 'i'];
  return paint(colour, sign);
}
