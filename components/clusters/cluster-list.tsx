import { clusterPath } from '#components/frame/paths.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClusterRow } from './cluster-row.tsx';
import { SandboxGallery } from './sandbox-gallery.tsx';

/** Real clusters first; without any, the sandbox is the way to try. */
export function ClusterList({ entries }: { entries: readonly ClusterEntry[] }) {
  const real = entries.filter(({ kind }) => kind !== 'sandbox');
  const sandboxes = entries
    .filter(({ kind }) => kind === 'sandbox')
    .toSorted((a, b) => Number(b.name === wayToTry) - Number(a.name === wayToTry));
  return (
    <div className="flex flex-col gap-4">
      {real.length === 0 ? (
        <NoCluster toTry={sandboxes.find(({ name }) => name === wayToTry)} />
      ) : (
        <Panel title="Clusters">
          <ul>
            {real.map((entry) => (
              <ClusterRow key={entry.slug} entry={entry} />
            ))}
          </ul>
        </Panel>
      )}
      <SandboxGallery sandboxes={sandboxes} />
    </div>
  );
}

/** A healthy standard installation: what most clusters are before the switch. */
const wayToTry = 'standard';

function NoCluster({ toTry }: { toTry: ClusterEntry | undefined }) {
  return (
    <Notice
      state="idle"
      title="No kubeconfig was found, and none is needed to try"
      actions={
        toTry && (
          <ButtonLink kind="primary" href={clusterPath(toTry.slug)}>
            Open the sandbox
          </ButtonLink>
        )
      }
    >
      <p className="max-w-[88ch]">
        The sandbox <b className="font-semibold">{wayToTry}</b> is a cluster of six nodes that exists on this machine
        only: enable eBPF on it, watch the nodes move, take it back. For a cluster of yours, start the console with{' '}
        <code>npm start -- --kubeconfig FILE</code> or set <code>KUBECONFIG</code>.
      </p>
    </Notice>
  );
}
