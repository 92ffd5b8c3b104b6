import Link from 'next/link';
import { changePath, type StepId, type StepPlace, stepPath, stepText } from '#lib/console/wizard/index.ts';

/** To the step whose answer settles it; opened from *Ready to …*, it leads back there. */
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
