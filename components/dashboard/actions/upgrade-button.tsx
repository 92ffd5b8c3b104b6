import { host, type Slug } from '#lib/console/host.ts';
import { parseRelease, proposedRelease } from '#lib/spec/index.ts';
import { ActionButton } from './action-button.tsx';

/** The way to a release of a later line; patches of the line that runs are offered in the wizard. On the server: browsers need no table of releases. */
export function UpgradeButton({ cluster, running }: { cluster: Slug; running: string | null }) {
  const newer = running === null ? null : proposedRelease(running);
  const lineOf = (release: string | null) => release && parseRelease(release)?.slice(0, 2).join('.');
  if (newer === null || lineOf(newer) === lineOf(running)) return null;
  return (
    <ActionButton
      action="upgradeCalico"
      cluster={cluster}
      words="Upgrade Calico"
      label={`Upgrade Calico to ${newer}`}
      pending="Preparing…"
      kind="plain"
    />
  );
}

/** Without an operator no object says which release runs: the reading of the findings tells it from the agents. */
export async function UpgradeByFindings({ cluster }: { cluster: Slug }) {
  const found = await host()
    .findings(cluster, 'kept')
    .catch(() => null);
  if (found === null || !found.ok) return null;
  return <UpgradeButton cluster={cluster} running={found.value.facts.installation.version} />;
}
