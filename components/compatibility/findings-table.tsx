import { Panel } from '#components/ui/panel.tsx';
import { counted } from '#lib/base/words.ts';
import type { Findings } from '#lib/checks/index.ts';
import type { Draft } from '#lib/console/host.ts';
import { type FindingInState, findingsInState, type StepPlace, sharedBefore } from '#lib/console/wizard/index.ts';
import type { Subject } from '#lib/facts/index.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';
import { FindingBody } from './finding-body.tsx';
import { findingKinds, kindOfFinding } from './finding-filter.ts';
import { type FindingRow, FindingRows } from './finding-rows.tsx';
import { findingWords } from './finding-words.ts';
import { Frozen } from './frozen.tsx';

/** All findings as a table whose lines open, worst first. Without `place` and `draft` it reads only. */
export function FindingsTable({
  findings,
  place = null,
  draft = null,
}: {
  findings: Findings;
  place?: StepPlace | null;
  draft?: Draft | null;
}) {
  const found = findingsInState(findings);
  const titles = new Map(findings.findings.map(({ id, title }) => [id, title]));
  const rows = found
    .map((one): FindingRow => {
      const { finding } = one;
      return {
        id: finding.id,
        kind: kindOfFinding(one),
        mark: findingWords(one),
        title: finding.title,
        where: whereOf(finding.subjects),
        group: finding.group,
        outcome: outcomeOf(one, titles),
        because: finding.because,
        subjects: finding.subjects,
        body: <FindingBody found={one} place={place} draft={draft} />,
      };
    })
    .sort((one, other) => findingKinds.indexOf(one.kind) - findingKinds.indexOf(other.kind));
  return (
    <Frozen>
      <Panel>
        <h2 className="sr-only">Findings, worst first</h2>
        {place !== null && draft !== null && (
          <NotMeasuredTogether place={place} revision={draft.revision} found={found} />
        )}
        <div className="@container">
          <FindingRows rows={rows} />
        </div>
      </Panel>
    </Frozen>
  );
}

/** `2 nodes`, `1 Service`, `5 objects`: what has room in a column. */
function whereOf(subjects: readonly Subject[]): string {
  const [kind, ...others] = new Set(subjects.map((one) => one.kind));
  if (kind === undefined) return '';
  if (kind === 'Node') return counted(subjects.length, 'node');
  if (others.length > 0 || (subjects.length > 1 && /[sy]$/.test(kind)) || kind.length > 10)
    return counted(subjects.length, 'object');
  return counted(subjects.length, kind);
}

function outcomeOf({ finding, state }: FindingInState, titles: ReadonlyMap<string, string>): string {
  const { ifIgnored, acknowledged, fixedBy, followsFrom, status } = finding;
  if (fixedBy !== null) return 'Fixed by the plan';
  if (acknowledged !== null) return `“${acknowledged}”`;
  if (state === 'waiting' && followsFrom !== null) return `While open: ${titles.get(followsFrom) ?? followsFrom}`;
  return status === 'pass' || status === 'skipped' ? '' : ifIgnored;
}

/** One answer for all that waits for a measurement on the nodes; each keeps its own line below, with the same reason. */
function NotMeasuredTogether({
  place,
  revision,
  found,
}: {
  place: StepPlace;
  revision: number;
  found: readonly FindingInState[];
}) {
  const waiting = found.filter(({ finding, state }) => state === 'unknown' && finding.notMeasured !== null);
  if (waiting.length < 2) return null;
  const before = sharedBefore(waiting.map(({ finding }) => finding));
  return (
    <section aria-labelledby="not-measured" className="border-b border-line bg-sunk px-4 py-3">
      <h3 id="not-measured" className="font-semibold">
        {waiting.length} of these need a measurement on each node.
      </h3>
      <p className="mt-0.5 mb-2 text-ink-2">
        Signalbox does not measure there yet. Where the same nodes run eBPF elsewhere, one reason serves for all.
      </p>
      <AcknowledgeForm
        place={place}
        revision={revision}
        name="not-measured"
        ids={waiting.map(({ finding }) => finding.id)}
        title={`Accept all ${waiting.length} that were not measured…`}
        {...(before === undefined ? {} : { before })}
      />
    </section>
  );
}
