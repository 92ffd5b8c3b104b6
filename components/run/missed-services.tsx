import { StateMark } from '#components/ui/state-mark.tsx';

/** Why Services were not measured for some time, or until the end of the run. */
export function MissedServices({ missed, className }: { missed: readonly string[]; className?: string }) {
  return missed.map((because) => (
    <p key={because} className={className}>
      <StateMark state="unknown">Not measured since: {because}</StateMark>
    </p>
  ));
}
