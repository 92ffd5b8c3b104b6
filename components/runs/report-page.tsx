import type { ReactNode } from 'react';
import { holderWords, reportTitle, runStateWords, shortHash } from '#components/run/run-words.ts';
import { progressWords } from '#components/run/steps/progress-words.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { CommandBlock } from '#components/ui/code-block.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { counted, duration } from '#lib/base/words.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { gapLength, type Report } from '#lib/run/index.ts';
import { serviceTitle } from '#lib/spec/watched-services.ts';
import { AcceptedRisks } from './accepted-risks.tsx';
import { DriftButton } from './drift-button.tsx';
import { NodeTimes } from './node-times.tsx';
import { OnPaper } from './on-paper.tsx';
import { PrintButton } from './print-button.tsx';
import { ExactTime, ReportTable } from './report-table.tsx';
import { ServiceGapsTable } from './service-gaps-table.tsx';
import { TrafficSince } from './traffic-since.tsx';
import { WhatChanged } from './what-changed.tsx';

/** `onPaper`: the same report whose commands name no cluster. `traffic`: null if nothing is known. */
type ReportPageProps = { cluster: string; report: Report; onPaper: Report; traffic: ChangesOfRun | null };

/** The report as a page, with the content of lib/run › reportAsMarkdown. Its first panel suffices for an e-mail. */
export function ReportPage({ cluster, report, onPaper, traffic }: ReportPageProps) {
  const { run, state, operations, undo, residue, happenings, risks, nodes } = report;
  const pace = state.kind === 'running' ? 'moving' : 'standing';
  const file = `/api/clusters/${cluster}/runs/${run}/report`;
  // The short table ends with the undo beside it; beside long lists it would be mostly empty.
  const hasLists = state.kind === 'stopped' || undo.length > 0;
  const done = operations.filter((line) => line.state === 'finished' || line.state === 'already-done').length;
  return (
    <>
      <PageHead
        title={reportTitle(report)}
        sub={
          <>
            Run <code>{run}</code> · plan <code>{shortHash(report.planHash)}</code> · times are UTC
          </>
        }
        actions={
          <span className="flex flex-wrap gap-2 print:hidden">
            <ButtonLink href={`/clusters/${cluster}/runs/${run}`}>Back to the run</ButtonLink>
            <ButtonLink href={`${file}?format=md`} download>
              Markdown
            </ButtonLink>
            <ButtonLink href={`${file}?format=json`} download>
              JSON
            </ButtonLink>
            {state.kind === 'done' && report.foreign === null && (
              <ButtonLink href={`${file}?format=gitops`} download>
                End state for Git
              </ButtonLink>
            )}
            <PrintButton />
          </span>
        }
      />
      <div className="flex min-w-0 flex-col gap-4 print:gap-2 print:text-[11px] print:[&_*]:text-[11px]">
        <Summary report={report} onPaper={onPaper} done={done} />
        <div
          className={`grid min-w-0 grid-cols-1 gap-4 print:gap-2 min-[1100px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)] ${hasLists ? 'items-start' : ''}`}
        >
          <BeforeAndAfter rows={report.beforeAfter} />
          <div className="grid min-w-0 grid-cols-1 gap-4 print:gap-2">
            <WayBack cluster={cluster} report={report} onPaper={onPaper} />
            {state.kind === 'stopped' && <Listed title="What remains" items={state.remains} />}
            {undo.length > 0 && <Listed title="Left as it is on purpose" items={residue} />}
          </div>
        </div>
        <NodeTimes nodes={nodes} />
        {report.services !== null && <ServiceGapsTable services={report.services} />}
        {traffic !== null && <TrafficSince changes={traffic} />}
        <AcceptedRisks risks={risks} />
        <WhatChanged operations={operations} aside={<DriftButton cluster={cluster} run={run} />} />
        <Panel>
          <Folded title="Steps" aside={progressWords(operations, state)}>
            <ReportTable lines={operations} label="Every step" pace={pace} />
          </Folded>
          {undo.length > 0 && (
            <Folded title="Undone" aside={counted(undo.length, 'step')}>
              <ReportTable lines={undo} label="Every step that was undone" pace={pace} />
            </Folded>
          )}
          {happenings.length > 0 && (
            <Folded title="Events" aside={counted(happenings.length, 'entry', 'entries')}>
              <ul className="divide-y divide-line text-sm">
                {happenings.map(({ at, text }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two happenings may be the same but for their place.
                  <li key={index} className="flex flex-wrap gap-x-3 px-4 py-2">
                    <span className="text-ink-3">
                      <ExactTime at={at} />
                    </span>
                    <span className="min-w-0 flex-1 basis-64">
                      <OnPaper screen={text} paper={onPaper.happenings[index]?.text ?? ''} />
                    </span>
                  </li>
                ))}
              </ul>
            </Folded>
          )}
        </Panel>
      </div>
    </>
  );
}

function LongestGap({ services }: Pick<Report, 'services'>) {
  const isMeasured = services?.nodes.some(({ kinds }) => kinds.some(({ longestMs }) => longestMs !== null)) ?? false;
  if (services === null || !isMeasured) return <dd className="text-ink-2">not measured</dd>;
  const { longest, sumMs } = services;
  if (longest === null) return <dd>none</dd>;
  return (
    <dd>
      {gapLength(longest.ms)}, {serviceTitle(longest.kind)} on {longest.node}
      <span className="text-ink-3"> · {gapLength(sumMs)} over all</span>
    </dd>
  );
}

function Summary({ report, onPaper, done }: { report: Report; onPaper: Report; done: number }) {
  const { state, summary, outcome, startedAt, endedAt, tookSeconds, startedBy, operations } = report;
  const mark = runStateWords(state, 'carried', report.unverified);
  return (
    <Panel>
      <p className="px-4 py-3 font-[560] [overflow-wrap:anywhere] print:text-[13px]!">
        <OnPaper screen={summary} paper={onPaper.summary} />
      </p>
      <dl className="flex flex-wrap gap-x-12 gap-y-3 border-t border-line px-4 py-3 [&_dt]:text-sm [&_dt]:text-ink-3 print:grid print:grid-flow-col print:justify-start print:gap-x-6 print:[&_dt]:text-[11px]">
        <div>
          <dt>Outcome</dt>
          <dd>
            <StateMark state={mark.state}>
              {outcome}
              {state.kind === 'done' && `, ${done} of ${operations.length} steps`}
            </StateMark>
          </dd>
        </div>
        <div>
          <dt>When</dt>
          <dd>
            <ExactTime at={startedAt} />
            {endedAt !== null && (
              <>
                {' to '}
                <time dateTime={endedAt}>{endedAt.slice(11, 19)}</time>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>{tookSeconds === null ? 'still running' : duration(tookSeconds)}</dd>
        </div>
        <div>
          <dt>By</dt>
          <dd>{holderWords(startedBy)}</dd>
        </div>
        <div>
          <dt>Longest Service gap</dt>
          <LongestGap services={report.services} />
        </div>
      </dl>
      {report.foreign !== null && (
        <p className="border-t border-line px-4 py-3">
          <StateMark state="unknown">{report.foreign}</StateMark>
        </p>
      )}
    </Panel>
  );
}

function BeforeAndAfter({ rows }: { rows: Report['beforeAfter'] }) {
  return (
    <Panel title="Before and after">
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-sm text-ink-3">Data plane, service proxy and API endpoint stay as they were.</p>
      ) : (
        <TableBox label="Before and after">
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ topic, before, after }) => (
                <tr key={topic}>
                  <td className="text-ink-3">{topic}</td>
                  <td className="[overflow-wrap:anywhere]">{before}</td>
                  <td className="font-[560] [overflow-wrap:anywhere]">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </Panel>
  );
}

function WayBack({ cluster, report, onPaper }: { cluster: string; report: Report; onPaper: Report }) {
  const { wayBack, run, goal, state } = report;
  const { possible, because, steps, usualSeconds, command } = wayBack;
  return (
    <Panel
      title={goal === 'install' ? 'Uninstall' : 'Undo'}
      aside={
        <StateMark state={possible ? 'ok' : 'idle'}>
          {possible ? 'possible' : state.kind === 'undone' ? 'done' : 'not now'}
        </StateMark>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3 text-sm">
        <p className="text-ink-2">
          {possible
            ? `Takes ${counted(steps, 'step')} back in reverse, typically ${duration(usualSeconds)}. Possible until another run builds on this one.`
            : because !== null && (
                <OnPaper
                  screen={because}
                  paper={onPaper.wayBack.because ?? ''}
                  as={(text) => <WithCode text={text} />}
                />
              )}
        </p>
        {possible && (
          <>
            <OnPaper
              screen={command}
              paper={onPaper.wayBack.command}
              as={(text) => <CommandBlock command={text} of="the undo command" on="sheet" />}
            />
            <p className="print:hidden">
              <ButtonLink href={`/clusters/${cluster}/runs/${run}`}>Undo on the page of the run</ButtonLink>
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}

/** Folded on the page and in print; the downloads have all of it. */
function Folded({ title, aside, children }: { title: string; aside: string; children: ReactNode }) {
  return (
    <div className="border-b border-line px-4 py-2.5 last:border-b-0">
      <Disclosure
        summary={
          <span>
            <span className="font-semibold text-ink">{title}</span> <span className="text-sm text-ink-3">{aside}</span>
          </span>
        }
      >
        <div className="-mx-4 border-t border-line">{children}</div>
      </Disclosure>
    </div>
  );
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <Panel title={title}>
      <ul className="list-disc px-4 py-3 pl-9 text-sm text-ink-2">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Panel>
  );
}
