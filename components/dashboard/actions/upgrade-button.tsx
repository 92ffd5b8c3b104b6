import type { Slug } from '#lib/console/host.ts';
import { findingsNow } from '../findings-now.ts';
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

/**
 * Primary if something blocks the switch to eBPF, because then the upgrade is the next step. `running`: the release from the status; if that has none, the findings
 * know it from the agents.
 */
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
  const isWayOn = found?.goal === 'enable' && found.outages.length === 0 && found.blockers.length > 0;
  return (
    <UpgradeButton
      cluster={cluster}
      running={running ?? found?.running ?? null}
      kind={isWayOn && servedBy !== 'nobody' ? 'primary' : 'plain'}
    />
  );
}
