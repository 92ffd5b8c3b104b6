import { type Choices, releaseAtLeast } from '#lib/spec/index.ts';
import type { ReleaseOffer } from '../../host.ts';

/** For an *upgrade*, the offers that are newer than what runs. Versions that cannot be compared stay. */
export function offersFor(
  offers: readonly ReleaseOffer[],
  { goal }: Pick<Choices, 'goal'>,
  running: string | null,
): readonly ReleaseOffer[] {
  if (goal !== 'upgrade' || running === null) return offers;
  return offers.filter(({ version }) => releaseAtLeast(running, version) !== 'yes');
}
