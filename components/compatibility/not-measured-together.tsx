import type { FindingInState, Place } from '#lib/console/wizard/index.ts';
import { AcknowledgeForm } from './acknowledge-form.tsx';

/** One answer for all that waits for a measurement on the nodes; each keeps its own finding below, with the same reason. */
export function NotMeasuredTogether({ place, found }: { place: Place; found: readonly FindingInState[] }) {
  const waiting = found.filter(({ finding, state }) => state === 'unknown' && finding.notMeasured !== null);
  if (waiting.length < 2) return null;
  return (
    <section aria-labelledby="not-measured" className="border-b border-line bg-sunk px-4 py-3.5">
      <h3 id="not-measured" className="font-semibold">
        {waiting.length} of these need a measurement on each node.
      </h3>
      <p className="mt-0.5 mb-2.5 text-ink-2">
        Signalbox cannot measure there yet. Where you know from elsewhere, one reason serves for all of them; each can
        still be taken back by itself.
      </p>
      <AcknowledgeForm
        place={place}
        name="not-measured"
        ids={waiting.map(({ finding }) => finding.id)}
        title={`Accept all ${waiting.length} that were not measured…`}
      />
    </section>
  );
}
