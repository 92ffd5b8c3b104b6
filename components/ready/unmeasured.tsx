import { AcknowledgeForm } from '#components/compatibility/acknowledge-form.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted } from '#lib/base/words.ts';
import { type ReadyState, type StepPlace, sharedBefore } from '#lib/console/wizard/index.ts';

/** What only a look at the nodes tells, as one card with one reason. */
export function Unmeasured({
  place,
  revision,
  state: { unmeasured, vouched },
}: {
  place: StepPlace;
  revision: number;
  state: ReadyState;
}) {
  if (unmeasured.length + vouched.length === 0) return null;
  const isOpen = unmeasured.length > 0;
  const before = sharedBefore(unmeasured);
  const shown = isOpen ? unmeasured : vouched;
  return (
    <Panel
      title={isOpen ? 'Not tested' : 'Accepted without tests'}
      aside={
        <StateMark state="unknown">
          {isOpen ? counted(unmeasured.length, 'check') : `${vouched.length} not verified`}
        </StateMark>
      }
    >
      <div className="px-4 py-3 text-sm">
        <p className="text-ink-2">
          {isOpen ? (
            <>
              <code>signalbox preflight</code> tests these on every node. If the same nodes run eBPF elsewhere, or you
              looked yourself, one reason serves for all:
            </>
          ) : (
            `Your reason: ${vouched[0]?.acknowledged ?? ''}`
          )}
        </p>
        <ul className="my-2 list-disc pl-5">
          {shown.map(({ id, title }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              {title}
            </li>
          ))}
        </ul>
        {isOpen && (
          <AcknowledgeForm
            place={place}
            revision={revision}
            name="unmeasured"
            ids={unmeasured.map(({ id }) => id)}
            title="Accept without tests…"
            {...(before === undefined ? {} : { before })}
          />
        )}
      </div>
    </Panel>
  );
}
