import { type Choices, releaseAtLeast } from '#lib/spec/index.ts';
import type { ReleaseOffer } from '../../host.ts';

/** Of an *upgrade* those that are newer than what runs: an older one, or the same, is none. What cannot be compared stays. */
export function offersFor(
  offers: readonly ReleaseOffer[],
  { goal }: Pick<Choices, 'goal'>,
  running: string | null,
): readonly ReleaseOffer[] {
  if (goal !== 'upgrade' || running === null) return offers;
  return offers.filter(({ version }) => releaseAtLeast(running, version) !== 'yes');
}
