import { StateMark } from '#components/ui/state-mark.tsx';

/** Why Services were not asked for a while, or to the end. */
export function MissedServices({ missed, className }: { missed: readonly string[]; className?: string }) {
  return missed.map((because) => (
    <p key={because} className={className}>
      <StateMark state="unknown">Not measured since: {because}</StateMark>
    </p>
  ));
}
