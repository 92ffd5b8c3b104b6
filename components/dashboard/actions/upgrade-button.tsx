import type { Slug } from '#lib/console/host.ts';
import { findingsNow, isUpgradeNext, upgradeNow } from '../findings-now.ts';
import { laterLine } from '../later-line.ts';
import type { ServedBy } from '../served-as-seen.ts';
import { ActionButton } from './action-button.tsx';

/** The button for an upgrade to a later minor release. */
export function UpgradeButton({
  cluster,
  running,
  kind,
}: {
  cluster: Slug;
  running: string | null;
  kind: 'plain' | 'primary';
}) {
  const newer = laterLine(running);
  if (newer === null) return null;
  return (
    <ActionButton
      action="upgradeCalico"
      cluster={cluster}
      words="Upgrade Calico"
      label={`Upgrade Calico to ${newer}`}
      pending="Preparing…"
      kind={kind}
    />
  );
}

/** Primary where it is the next step. `running`: the release from the status; if that has none, the findings know it from the agents. */
export async function UpgradeCalico({
  cluster,
  running,
  servedBy,
}: {
  cluster: Slug;
  running: string | null;
  servedBy: ServedBy;
}) {
  const found = await findingsNow(cluster, servedBy);
  const from = running ?? found?.running ?? null;
  if (laterLine(from) === null) return null;
  const isNext = servedBy !== 'nobody' && (await isUpgradeNext(found, () => upgradeNow(cluster)));
  return <UpgradeButton cluster={cluster} running={from} kind={isNext ? 'primary' : 'plain'} />;
}
