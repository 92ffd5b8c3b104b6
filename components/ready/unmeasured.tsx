import { AcknowledgeForm } from '#components/compatibility/acknowledge-form.tsx';
import { TestNodes } from '#components/preflight/test-nodes.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted } from '#lib/base/words.ts';
import type { PreflightState } from '#lib/console/host.ts';
import { type ReadyState, type StepPlace, sharedBefore } from '#lib/console/wizard/index.ts';

/** All findings that only a test on the nodes can decide, as one card that takes one reason. */
export function Unmeasured({
  place,
  revision,
  state: { unmeasured, vouched },
  preflight,
}: {
  place: StepPlace;
  revision: number;
  state: ReadyState;
  /** Null: the objects that a test would create could not be determined. */
  preflight: PreflightState | null;
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
          {isOpen ? 'A look at each node tells:' : `Your reason: ${vouched[0]?.acknowledged ?? ''}`}
        </p>
        <ul className="my-2 list-disc pl-5">
          {shown.map(({ id, title }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              {title}
            </li>
          ))}
        </ul>
        {preflight !== null && (
          <div className="mb-2">
            <TestNodes place={place} preflight={preflight} kind={isOpen ? 'primary' : 'plain'} />
          </div>
        )}
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
