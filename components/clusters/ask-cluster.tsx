import { ActionButton } from '#components/dashboard/actions/action-button.tsx';
import { host, type Slug } from '#lib/console/host.ts';

/** The button for a cluster that the list does not ask unasked. Nothing is sent there before it is pressed. */
export async function AskCluster({ cluster, name }: { cluster: Slug; name: string }) {
  const reach = await host()
    .reach(cluster)
    .catch(() => null);
  if (reach?.kind !== 'not-asked') return null;
  return (
    <ActionButton
      action="askCluster"
      cluster={cluster}
      words="Ask this cluster"
      label={`Ask this cluster: ${name}`}
      pending="Asking…"
      kind="plain"
    />
  );
}
