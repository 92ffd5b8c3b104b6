import { counted, duration } from '#lib/base/words.ts';
import type { Plan, WayOfUpgrade } from '#lib/plan/index.ts';
import { serviceTitle } from '#lib/spec/watched-services.ts';
import { markdownText as cell, markdownCode, noFlags } from '#lib/text/index.ts';
import { gapLength, gapsSentence, kindsAsked, type ServiceGaps, serviceGaps } from '../services/services-in-words.ts';
import { type AcceptedRisk, acceptedRisks, countAtStart } from './accepted-risks.ts';
import type { OperationLine } from './event.ts';
import { isUnverified, isWantedPause } from './has-ended.ts';
import { type Accepted, directionOf, type Journal, type RunState } from './journal.ts';
import { journalWithClusterFlags } from './journal-events.ts';
import { type NodeTime, nodeTimes } from './node-times.ts';
import { operationLines } from './operation-lines.ts';
import { foreignBecause, type Provenance } from './provenance.ts';
import { type ReportContext, type ReportSummary, reportSummary } from './report-summary.ts';
import { runGoal } from './run-goal.ts';

/** What the operator changes as a consequence of a run, and no undo restores (operations.md › Allowed residue). */
const allowedResidue = [
  'FelixConfiguration/default spec.nftablesMode',
  'FelixConfiguration/default annotation operator.tigera.io/bpfEnabled',
  'generations and revisions',
  'Events',
  "Signalbox's own journal and Lease",
] as const;

/** What remains after an installation was undone. What is left on nodes is not in the API, and a run does not look there. */
const leftByUninstall = [
  'what the agents wrote on the nodes: CNI configuration and plugins, interfaces, rules; not looked at, and a node that starts again has no interfaces and rules of theirs',
  'Events',
  "Signalbox's own journal and Lease",
] as const;

type ReportLine = OperationLine & {
  why: string;
  command: string;
  /** What it writes, as reviewed; empty for waits. */
  diff: string;
  begunAt: string | null;
  finishedAt: string | null;
  note: string | null;
  outcome: string | null;
};

/** What a run did, when, and how it ended. Plans and journals contain no credential or Secret value, so a report contains none. */
export type Report = ReportSummary & {
  apiVersion: 'signalbox.dev/v1';
  kind: 'Report';
  run: string;
  cluster: string;
  goal: string;
  /** The releases of an upgrade, if its journal has them. */
  upgrade?: WayOfUpgrade;
  planHash: string;
  startedAt: string;
  startedBy: string;
  state: RunState;
  /** The run's last direction. `unverified`: number of its steps in that direction whose effect was not seen. */
  direction: 'forward' | 'undo';
  unverified: number;
  /** Why the run is foreign; null for a run that this installation carried. */
  foreign: string | null;
  accepted: Accepted[];
  /** Risks that were accepted, before the start and during the run. */
  risks: AcceptedRisk[];
  operations: ReportLine[];
  undo: ReportLine[];
  /** The duration for each node; empty if no step waited for nodes. */
  nodes: NodeTime[];
  /** How long Services did not answer; null if the run did not ask. */
  services: ServiceGaps | null;
  /** Pauses, requests, take-overs, in order. */
  happenings: { at: string; text: string }[];
  residue: readonly string[];
};

/**
 * The report of a run, from its plan and journal. `around.besides`: other runs, which may keep this one from being undone; default: none.
 * `around.flags`: name the cluster in the commands of sentences. Pure.
 */
export function reportOf(
  plan: Plan,
  recorded: Journal,
  provenance: Provenance,
  around: ReportContext = { besides: [], flags: noFlags },
): Report {
  const journal = journalWithClusterFlags(recorded, around.flags);
  const lines = operationLines(plan, journal);
  const line = (seq: number, direction: 'forward' | 'undo'): ReportLine[] => {
    const base = lines.find((one) => one.seq === seq);
    const operation = plan.operations.find((one) => one.seq === seq);
    if (!base || !operation) return [];
    const finished = journal.entries.find(
      (entry) => entry.what === 'finished' && entry.direction === direction && entry.seq === seq,
    );
    const begun = journal.entries.find(
      (entry) => entry.what === 'begun' && entry.direction === direction && entry.seq === seq,
    );
    return [
      {
        ...base,
        why: operation.why,
        command: direction === 'forward' ? operation.command : (operation.undo?.command ?? ''),
        diff: direction === 'forward' ? operation.diff : (operation.undo?.diff ?? ''),
        title: direction === 'forward' ? operation.title : (operation.undo?.title ?? operation.title),
        begunAt: begun?.at ?? null,
        finishedAt: finished?.at ?? null,
        note: finished?.what === 'finished' ? finished.note : null,
        outcome: finished?.what === 'finished' ? finished.outcome : null,
      },
    ];
  };
  const undone = new Set(
    journal.entries.flatMap((entry) => (entry.what === 'begun' && entry.direction === 'undo' ? [entry.seq] : [])),
  );
  const operations = plan.operations.flatMap((operation) => line(operation.seq, 'forward'));
  const undo = [...undone].flatMap((seq) => line(seq, 'undo'));
  const direction = directionOf(journal);
  const unverified = (direction === 'undo' ? undo : operations).filter(({ outcome }) => isUnverified(outcome));
  const nodes = nodeTimes(journal);
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Report',
    run: journal.run,
    cluster: journal.cluster,
    goal: journal.goal,
    ...(journal.upgrade === undefined ? {} : { upgrade: journal.upgrade }),
    planHash: journal.planHash,
    startedAt: journal.startedAt,
    startedBy: journal.startedBy,
    state: journal.state,
    direction,
    unverified: unverified.length,
    ...reportSummary(plan, journal, nodes, unverified, { ...around, provenance }),
    foreign: provenance.kind === 'own' ? null : foreignBecause(provenance.because),
    accepted: journal.accepted,
    risks: acceptedRisks(plan, journal),
    nodes,
    services: serviceGaps(journal.services),
    operations,
    undo,
    happenings: journal.entries.slice(countAtStart(journal)).flatMap((entry) => {
      const text = happening(entry);
      return text === null ? [] : [{ at: entry.at, text }];
    }),
    residue: undone.size === 0 ? [] : plan.goal === 'install' ? leftByUninstall : allowedResidue,
  };
}

function happening(entry: Journal['entries'][number]): string | null {
  switch (entry.what) {
    case 'paused':
      return entry.code === 'asked'
        ? `Paused by ${entry.by === undefined ? 'a request' : nameOf(entry.by)}`
        : isWantedPause(entry.code)
          ? `Paused as planned: ${entry.because}`
          : `Paused (${entry.code}): ${entry.because}`;
    case 'resumed':
      return `Continued by ${nameOf(entry.by)}`;
    case 'taken-over':
      return `Taken over by ${nameOf(entry.by)} from ${nameOf(entry.from)}`;
    case 'undo-asked':
      return `Undo asked for by ${nameOf(entry.by)}`;
    case 'acknowledged':
      return `Accepted ${entry.id}: ${entry.reason}`;
    case 'request':
      return `Request ${entry.request}: ${entry.answer}`;
    case 'nudged':
      return entry.because;
    case 'ended':
      return endings[entry.state] ?? `Ended: ${entry.state}`;
    default:
      return null;
  }
}

const endings: Readonly<Record<string, string>> = {
  done: 'The run was done',
  undone: 'The run was undone',
  stopped: 'The run was stopped',
  failed: 'The run failed',
};

/** `Signalbox 3f9c12ab, process 4211`, from `<install id>/<pid>@<start>@<machine>`. */
function nameOf(holder: string): string {
  const [install = '', process = ''] = holder.split('/');
  const pid = process.split('@')[0];
  return `Signalbox ${install.slice(0, 8)}${pid ? `, process ${pid}` : ''}`;
}

/** The report as GitHub-flavoured Markdown. Text of the run and the cluster is escaped. Pure. */
export function reportAsMarkdown(report: Report): string {
  const table = (lines: ReportLine[]) => [
    '| # | step | state | begun | finished | note |',
    '|---|---|---|---|---|---|',
    ...lines.map(
      (line) =>
        `| ${line.seq} | ${cell(line.title)} (${markdownCode(line.id)}) | ${cell(line.state)} | ${cell(line.begunAt ?? '')} | ${cell(line.finishedAt ?? '')} | ${cell(line.note ?? '')} |`,
    ),
  ];
  return [
    `# Run ${cell(report.run)}: ${report.direction === 'undo' ? 'undo of ' : ''}${cell(runGoal(report))} on ${cell(report.cluster)}`,
    '',
    `State: **${cell(report.state.kind)}**${report.unverified === 0 ? '' : `, ${counted(report.unverified, 'step')} not verified`}${'because' in report.state ? `: ${cell(report.state.because)}` : ''}  `,
    ...(report.foreign === null ? [] : [`**Not verified:** ${cell(report.foreign)}  `]),
    `Started ${cell(report.startedAt)} by ${cell(nameOf(report.startedBy))}; plan ${cell(report.planHash)}.`,
    '',
    ...summaryAsMarkdown(report),
    '## Steps',
    '',
    ...table(report.operations),
    ...(report.nodes.length > 0
      ? ['', '## Nodes', '', '| node | state | took |', '|---|---|---|', ...report.nodes.map(nodeAsMarkdown)]
      : []),
    ...(report.services === null ? [] : servicesAsMarkdown(report.services)),
    ...(report.risks.length > 0 ? ['', '## Accepted risks', '', ...report.risks.flatMap(riskAsMarkdown)] : []),
    ...(report.undo.length > 0
      ? [
          '',
          '## Undone',
          '',
          ...table(report.undo),
          '',
          'Left as it is on purpose:',
          '',
          ...report.residue.map((one) => `- ${cell(one)}`),
        ]
      : []),
    ...(report.state.kind === 'stopped' && report.state.remains.length > 0
      ? ['', '## What remains', '', ...report.state.remains.map((one) => `- ${cell(one)}`)]
      : []),
    ...(report.happenings.length > 0
      ? ['', '## Events', '', ...report.happenings.map((one) => `- ${cell(one.at)} ${cell(one.text)}`)]
      : []),
    '',
  ].join('\n');
}

function summaryAsMarkdown({ outcome, summary, tookSeconds, beforeAfter, wayBack }: Report): string[] {
  const took = tookSeconds === null ? '' : ` in ${duration(tookSeconds)}`;
  const back = wayBack.possible
    ? `Way back: ${counted(wayBack.steps, 'step')}, typically ${duration(wayBack.usualSeconds)}: ${markdownCode(wayBack.command)}`
    : `Way back: ${cell(wayBack.because ?? 'not possible')}`;
  return [
    `**${cell(outcome)}${took}.** ${cell(summary)}`,
    '',
    back,
    '',
    ...(beforeAfter.length === 0
      ? []
      : [
          '## Before and after',
          '',
          '| | before | after |',
          '|---|---|---|',
          ...beforeAfter.map(({ topic, before, after }) => `| ${cell(topic)} | ${cell(before)} | ${cell(after)} |`),
          '',
        ]),
  ];
}

function nodeAsMarkdown({ name, state, dataplane, tookSeconds }: NodeTime): string {
  const where = dataplane === null ? '' : dataplane === 'bpf' ? ' on eBPF' : ' on the standard data plane';
  return `| ${cell(name)} | ${cell(state)}${where} | ${tookSeconds === null ? '' : duration(tookSeconds)} |`;
}

function servicesAsMarkdown(services: ServiceGaps): string[] {
  const kinds = kindsAsked(services.nodes);
  const rows = services.nodes.map(({ node, kinds: ofNode }) => {
    const cells = kinds.map((kind) => {
      const one = ofNode.find((each) => each.kind === kind);
      if (one === undefined || one.longestMs === null) return 'not measured';
      const unmeasured = one.unmeasuredMs === 0 ? '' : `, ${gapLength(one.unmeasuredMs)} not measured`;
      return one.longestMs === 0
        ? `none${unmeasured}`
        : `${gapLength(one.longestMs)} (sum ${gapLength(one.sumMs)})${unmeasured}`;
    });
    return `| ${[cell(node), ...cells].join(' | ')} |`;
  });
  return [
    '',
    '## Services while it changed',
    '',
    cell(gapsSentence(services)),
    ...services.missed.map((because) => cell(because)),
    '',
    `| node | ${kinds.map((kind) => `longest gap, ${serviceTitle(kind)}`).join(' | ')} |`,
    `|---|${kinds.map(() => '---').join('|')}|`,
    ...rows,
  ];
}

function riskAsMarkdown({ id, title, because, verified, reason, by, at }: AcceptedRisk): string[] {
  const what = `${cell(title)} (${markdownCode(id)})${verified ? '' : ', **not verified**'}`;
  return [
    `- ${what}${because === null ? '' : `: ${cell(because)}`}`,
    `  “${cell(reason)}”, ${cell(nameOf(by))}, ${cell(at)}`,
  ];
}
