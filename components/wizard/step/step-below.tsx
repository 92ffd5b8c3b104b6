import { EvidenceTable } from '#components/compatibility/evidence-table.tsx';
import { FindingCard } from '#components/compatibility/finding-card.tsx';
import { Frozen } from '#components/compatibility/frozen.tsx';
import { PartialNotice } from '#components/compatibility/partial-notice.tsx';
import { FindingsTable } from '#components/compatibility/table/findings-table.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { PreflightState } from '#lib/console/host.ts';
import {
  blockingIn,
  findingsInState,
  type StepId,
  type StepPlace,
  type WizardContext,
} from '#lib/console/wizard/index.ts';
import { AtCreation } from '../at-creation.tsx';
import { EndpointBelow } from '../endpoint-below.tsx';
import { ReleaseBelowLater } from '../fields/release-later.tsx';
import { OptionsBelow } from '../options-below.tsx';
import { WrittenBelow } from '../written-below.tsx';

type Below = { place: StepPlace; context: WizardContext; preflight: PreflightState | null };

/** Steps that say more once the files of the release are here. */
const waitForFiles: ReadonlySet<StepId> = new Set(['resources', 'changes', 'afterwards', 'compatibility']);

/**
 * Findings about this step's answer, below its fields, and the files of the release while the step waits for them: a console that was started again has to
 * get them anew, whichever step is open. They come last, so that nothing moves when they are here.
 */
export function StepBelow(below: Below) {
  const { place, context } = below;
  const isWaiting =
    waitForFiles.has(place.step) && context.release !== null && context.release.progress.kind !== 'open';
  return (
    <>
      <OfStep {...below} />
      {isWaiting && <Files place={{ ...place, step: 'release' }} context={context} />}
    </>
  );
}

function Files({ place, context: { release } }: Pick<Below, 'place' | 'context'>) {
  if (release === null) return null;
  return (
    <div className="mt-6">
      <ReleaseBelowLater place={place} progress={release.progress} />
    </div>
  );
}

function OfStep({ place, context, preflight }: Below) {
  switch (place.step) {
    case 'compatibility':
      return (
        <>
          <PartialNotice facts={context.facts} />
          <FindingsTable
            findings={context.findings}
            flags={context.flags}
            place={place}
            draft={context.draft}
            preflight={preflight}
            isMeasured={context.facts.measured !== null}
          />
        </>
      );
    case 'endpoint':
      return <EndpointBelow place={place} context={context} />;
    case 'platform':
      return (
        <>
          <Seen context={context} />
          <Blocking place={place} context={context} />
        </>
      );
    case 'release':
      return (
        <>
          <Files place={place} context={context} />
          <Blocking place={place} context={context} />
        </>
      );
    case 'proxy':
      return (
        <>
          <AtCreation context={context} />
          <Blocking place={place} context={context} />
        </>
      );
    case 'afterwards':
    case 'changes':
      return (
        <>
          <Blocking place={place} context={context} />
          <WrittenBelow context={context} />
        </>
      );
    case 'options':
      return <OptionsBelow context={context} />;
    default:
      return <Blocking place={place} context={context} />;
  }
}

function Blocking({ place, context }: { place: StepPlace; context: WizardContext }) {
  const found = findingsInState(context.findings);
  const blocking = blockingIn(place.step, found);
  const fixed = found.filter(
    ({ finding, state }) => state === 'answered' && finding.fixedBy !== null && finding.remedy.fixIn === place.step,
  );
  const shown = [...blocking.map((finding) => ({ finding, state: 'blocking' as const })), ...fixed];
  if (shown.length === 0) return null;
  return (
    <div className="mt-5">
      <Frozen>
        <Panel title="What the checks say">
          {shown.map((one) => (
            <FindingCard key={one.finding.id} found={one} place={place} draft={context.draft} />
          ))}
        </Panel>
      </Frozen>
    </div>
  );
}

function Seen({ context: { facts } }: { context: WizardContext }) {
  const { evidence } = facts.platform;
  if (evidence.length === 0) return null;
  return (
    <div className="mt-6">
      <Panel title="What tells it">
        <div className="overflow-hidden px-4 pb-1">
          <EvidenceTable evidence={evidence} />
        </div>
      </Panel>
    </div>
  );
}
