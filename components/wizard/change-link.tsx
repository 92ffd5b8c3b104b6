import Link from 'next/link';
import { changePath, type StepId, type StepPlace, stepPath, stepText } from '#lib/console/wizard/index.ts';

/** A link to the step that settles something; opened from *Ready to …*, the step returns there. */
export function ChangeLink({ place: { cluster, draft, from }, step }: { place: StepPlace; step: StepId }) {
  return (
    <Link
      href={from === 'ready' ? changePath(cluster, draft, step) : stepPath(cluster, draft, step)}
      prefetch={false}
      className="inline-flex min-h-8 items-center px-1 font-[560]"
    >
      Change it in {stepText(step).name}
    </Link>
  );
}
