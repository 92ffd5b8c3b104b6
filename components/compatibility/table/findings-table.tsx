import { TestAgain, TestNodes } from '#components/preflight/test-nodes.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { type Findings, type WithheldTogether, withheldTogether } from '#lib/checks/index.ts';
import type { Draft, PreflightState } from '#lib/console/host.ts';
import {
  type FindingInState,
  findingsInState,
  isVerified,
  type StepPlace,
  sharedBefore,
} from '#lib/console/wizard/index.ts';
import type { FlagsByProgram } from '#lib/text/index.ts';
import { AcknowledgeForm } from '../acknowledge-form.tsx';
import { FindingBody } from '../finding-body.tsx';
import { findingTitle, findingWords, outcomeOf } from '../finding-words.ts';
import { Frozen } from '../frozen.tsx';
import { WithheldBody } from '../withheld-body.tsx';
import { findingKinds, kindOfFinding } from './finding-filter.ts';
import type { FindingRow } from './finding-line.tsx';
import { FindingRows } from './finding-rows.tsx';
import { whereOf } from './where-of.ts';

/** All findings as a table with lines that open, worst first. Read-only without `place` and `draft`. */
export function FindingsTable({
  findings,
  flags,
  place = null,
  draft = null,
  preflight = null,
  isMeasured = false,
}: {
  findings: Findings;
  /** How commands name the cluster. */
  flags: FlagsByProgram;
  place?: StepPlace | null;
  draft?: Draft | null;
  preflight?: PreflightState | null;
  /** The nodes were tested. */
  isMeasured?: boolean;
}) {
  const found = findingsInState(findings);
  const withheld = withheldTogether(findings, flags);
  const titles = new Map(findings.findings.map(({ id, title }) => [id, title]));
  const rows = found
    .map((one): FindingRow => {
      const { finding } = one;
      return {
        id: finding.id,
        // On a read-only page, a finding that a run verified is settled.
        kind: place === null && isVerified(one) ? 'accepted' : kindOfFinding(one),
        mark: findingWords(one),
        title: findingTitle(one),
        where: whereOf(finding.subjects),
        group: finding.group,
        outcome: outcomeOf(one, titles),
        because: finding.because,
        cause: causeOf(one, withheld),
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
          <NotMeasuredTogether place={place} revision={draft.revision} found={found} preflight={preflight} />
        )}
        {place !== null && preflight !== null && isMeasured && waitingIn(found).length === 0 && (
          <div className="border-b border-line px-4 py-2.5">
            <TestAgain place={place} preflight={preflight} />
          </div>
        )}
        <div className="@container">
          <FindingRows
            rows={rows}
            ofCauses={
              withheld === null
                ? {}
                : {
                    [withheld.because]: (
                      <div className="border-t border-l-4 border-line bg-sunk">
                        <WithheldBody of={withheld} place={place} revision={draft?.revision ?? null} />
                      </div>
                    ),
                  }
            }
            canAnswer={place !== null}
          />
        </div>
      </Panel>
    </Frozen>
  );
}

/** The shared cause of open findings, which get one line: missing permissions, untested nodes, a kind that could not be read. */
function causeOf(one: FindingInState, withheld: WithheldTogether | null): string | null {
  const { finding, state } = one;
  if (state !== 'unknown' || isVerified(one)) return null;
  if (withheld?.findings.includes(finding)) return withheld.because;
  return finding.notMeasured === null ? finding.because : 'Not tested on the nodes.';
}

function waitingIn(found: readonly FindingInState[]): readonly FindingInState[] {
  return found.filter(({ finding, state }) => state === 'unknown' && finding.notMeasured !== null);
}

/** Findings that wait for a test of the nodes: the test, or one reason for all of them; each also has its own line. */
function NotMeasuredTogether({
  place,
  revision,
  found,
  preflight,
}: {
  place: StepPlace;
  revision: number;
  found: readonly FindingInState[];
  preflight: PreflightState | null;
}) {
  const waiting = waitingIn(found);
  if (waiting.length < (preflight === null ? 2 : 1)) return null;
  const before = sharedBefore(waiting.map(({ finding }) => finding));
  return (
    <section aria-labelledby="not-measured" className="border-b border-line bg-sunk px-4 py-3">
      <h3 id="not-measured" className="font-semibold">
        {waiting.length === 1 ? 'One of these needs' : `${waiting.length} of these need`} a measurement on each node.
      </h3>
      {preflight !== null && (
        <div className="mt-1 mb-2">
          <TestNodes place={place} preflight={preflight} kind="primary" />
        </div>
      )}
      {waiting.length > 1 && (
        <>
          <p className="mt-0.5 mb-2 text-ink-2">If the same nodes run eBPF elsewhere, one reason covers all.</p>
          <AcknowledgeForm
            place={place}
            revision={revision}
            name="not-measured"
            ids={waiting.map(({ finding }) => finding.id)}
            title={`Accept all ${waiting.length} that were not measured…`}
            {...(before === undefined ? {} : { before })}
          />
        </>
      )}
    </section>
  );
}
