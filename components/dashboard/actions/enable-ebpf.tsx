import type { Slug } from '#lib/console/host.ts';
import { canInstall, findingsNow, isClear } from '../findings-now.ts';
import type { ServedBy } from '../served-as-seen.ts';
import { ActionButton } from './action-button.tsx';

/** The way to eBPF; not offered in an outage, which comes first, and primary only where nothing is known that would refuse it. */
export async function EnableEbpf({ cluster, servedBy }: { cluster: Slug; servedBy: ServedBy }) {
  const found = await findingsNow(cluster, servedBy);
  if (servedBy === 'nobody' || (found !== null && found.outages.length > 0)) return null;
  return <EnableButton cluster={cluster} kind={isClear(found) ? 'primary' : 'plain'} />;
}

export function EnableButton({ cluster, kind }: { cluster: Slug; kind: 'plain' | 'primary' }) {
  return <ActionButton action="enableEbpf" cluster={cluster} words="Enable eBPF" pending="Preparing…" kind={kind} />;
}

/** The button for an installation. Nothing for an unfinished one: InstallPanel has the button that finishes it, and there must be only one. */
export async function InstallCalico({ cluster, servedBy }: { cluster: Slug; servedBy: ServedBy }) {
  const found = await findingsNow(cluster, servedBy);
  if (found?.isUnfinished) return null;
  return <InstallButton cluster={cluster} kind={canInstall(found) ? 'primary' : 'plain'} />;
}

export function InstallButton({ cluster, kind }: { cluster: Slug; kind: 'plain' | 'primary' }) {
  return (
    <ActionButton action="installCalico" cluster={cluster} words="Install Calico" pending="Preparing…" kind={kind} />
  );
}
