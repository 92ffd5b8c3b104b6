import { Notice } from '#components/ui/notice.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { ClusterEntry } from '#lib/console/host.ts';
import { ClusterRow } from './cluster-row.tsx';

/** Real clusters first; without any, the sandbox is the way to try. */
export function ClusterList({ entries }: { entries: readonly ClusterEntry[] }) {
  const real = entries.filter(({ kind }) => kind !== 'sandbox');
  const sandboxes = entries.filter(({ kind }) => kind === 'sandbox');
  return (
    <div className="flex flex-col gap-4">
      {real.length === 0 ? <NoCluster /> : <Rows title="Clusters" entries={real} />}
      <Rows title="Sandboxes" aside="sample clusters on this machine, with nodes that move" entries={sandboxes} />
    </div>
  );
}

function Rows({ title, aside, entries }: { title: string; aside?: string; entries: readonly ClusterEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Panel title={title} {...(aside === undefined ? {} : { aside })}>
      <ul>
        {entries.map((entry) => (
          <ClusterRow key={entry.slug} entry={entry} />
        ))}
      </ul>
    </Panel>
  );
}

function NoCluster() {
  return (
    <Notice state="idle" title="No kubeconfig was found, and none is needed to try">
      <p>
        The sandbox <b className="font-semibold">standard</b> below is a cluster of six nodes that exists on this
        machine only. Enable eBPF on it, watch the nodes move, take it back. For a cluster of yours, start the console
        with <code>-- --kubeconfig FILE</code> or set <code>KUBECONFIG</code>.
      </p>
    </Notice>
  );
}
