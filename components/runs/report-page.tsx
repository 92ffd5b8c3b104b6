import { holderWords, runStateWords, runTitle } from '#components/run/run-words.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { Report } from '#lib/run/index.ts';
import { AcceptedRisks } from './accepted-risks.tsx';
import { NodeTimes } from './node-times.tsx';
import { PrintButton } from './print-button.tsx';
import { Exact, ReportTable } from './report-table.tsx';

/** The report as lib/run › reportAsMarkdown writes it, to read and to print. */
export function ReportPage({ cluster, report }: { cluster: string; report: Report }) {
  const { run, state, operations, undo, residue, happenings, risks, nodes } = report;
  const mark = runStateWords(state, 'carried', report.unverified);
  const pace = state.kind === 'running' ? 'moving' : 'standing';
  const file = `/api/clusters/${cluster}/runs/${run}/report`;
  return (
    <>
      <PageHead
        title={`Report: ${runTitle(report.goal, report.cluster, report.direction)}`}
        sub={
          <>
            Run <code>{run}</code> · started <Exact at={report.startedAt} /> UTC by {holderWords(report.startedBy)}
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
      <div className="flex min-w-0 flex-col gap-4 print:text-[11px]">
        <p>
          <StateMark state={mark.state}>{mark.word}</StateMark>
          {'because' in state && <span className="ml-2">{state.because}</span>}
        </p>
        <p className="text-sm break-all text-ink-3">
          Plan <code>{report.planHash}</code>. All times are UTC.
        </p>
        <NodeTimes nodes={nodes} />
        <AcceptedRisks risks={risks} />
        <Panel title="Steps">
          <ReportTable lines={operations} label="Every step" pace={pace} />
        </Panel>
        {undo.length > 0 && (
          <Panel title="Taken back">
            <ReportTable lines={undo} label="Every step that was taken back" pace={pace} />
            <Listed title="Left as it is on purpose" items={residue} />
          </Panel>
        )}
        {state.kind === 'stopped' && state.remains.length > 0 && (
          <Panel title="What remains">
            <Listed items={state.remains} />
          </Panel>
        )}
        {happenings.length > 0 && (
          <Panel title="What happened besides">
            <ul className="divide-y divide-line text-sm">
              {happenings.map(({ at, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two happenings may be the same but for their place.
                <li key={index} className="flex flex-wrap gap-x-3 px-4 py-2">
                  <span className="text-ink-3">
                    <Exact at={at} />
                  </span>
                  <span className="min-w-0 flex-1 basis-64">{text}</span>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
    </>
  );
}

function Listed({ title, items }: { title?: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div className="border-t border-line px-4 py-3 text-sm first:border-t-0">
      {title !== undefined && <h3 className="font-[560]">{title}</h3>}
      <ul className="list-disc pl-5 text-ink-2">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
