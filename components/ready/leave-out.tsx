import { AcknowledgeForm } from '#components/compatibility/acknowledge-form.tsx';
import type { StepPlace } from '#lib/console/wizard/index.ts';

/** Leaves a fix out of the plan: its finding is accepted then, with a reason. */
export function LeaveOut({ place, id, title }: { place: StepPlace; id: string; title: string }) {
  return (
    <div className="mt-2">
      <AcknowledgeForm
        place={place}
        name={`leave-out-${id}`}
        ids={[id]}
        title={
          <>
            Leave it out…<span className="sr-only"> {title}</span>
          </>
        }
      />
    </div>
  );
}
