import { visible } from '#lib/text/index.ts';
import { clientVersion } from '../client-version.ts';
import type { Command } from '../command.ts';
import { exit } from '../exit.ts';
import { clusterFlags, etcdFlags, outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../terminal/output.ts';

const words = {
  host: 'the host’s own',
  packaged: 'brought by the project',
  named: 'named when it was started',
} as const;

/** `calicoctl version`'s own lines: label, padding, value at column 20 (calico.md §8); the spec's verify step reads `Cluster Version`. */
export const version: Command = {
  name: 'version',
  arguments: '',
  summary:
    'Show the versions of this client, of Calico on the cluster, and of Kubernetes. -v: also which Node.js runs this client, and why.',
  flags: { ...clusterFlags, ...etcdFlags, client: { help: 'show only this client; read no cluster' }, ...outputFlags },
  async run({ flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const client = clientVersion();
    const data: Record<string, unknown> = { apiVersion: 'signalbox.dev/v1', kind: 'Version', client };
    let unreached: Error | null = null;
    const lines: string[][] = [
      ['Client Version:', client.version],
      ['Git commit:', client.commit],
    ];
    if (terminal.verbosity === 'verbose') {
      const { nodeRuntime } = await import('../node-runtime.ts');
      const runtime = nodeRuntime(env);
      data.node = runtime;
      lines.push(
        ['Node:', `${runtime.version}, ${words[runtime.from]} (${runtime.path})`],
        ['', runtime.because],
        ...runtime.keptOut.map(({ id, closedIn, because }, index) => [
          index === 0 ? 'Kept out:' : '',
          `${id}, closed in ${closedIn}: ${because}`,
        ]),
      );
    }
    if (!flags.has('client')) {
      const { withCluster } = await import('../open-cluster.ts');
      const { readVersions } = await import('#lib/status/index.ts');
      const { isKubeError } = await import('#lib/kube/index.ts');
      const read = await withCluster({ flags, env }, 'fresh', ({ kube }) => readVersions(kube, signal)).catch(
        (error: unknown) => {
          // The client's version is printed even if the cluster does not answer.
          if (!isKubeError(error)) throw error;
          unreached = error;
          return null;
        },
      );
      data.cluster = read;
      lines.push(
        ['Cluster Version:', read?.calico ?? 'unknown'],
        ['Cluster Type:', read?.clusterType ?? 'unknown'],
        ['Kubernetes:', read?.kubernetes ?? 'unknown'],
      );
      if (read?.datastore === 'etcd' && read.calicoFrom?.includes(' image '))
        terminal.err(
          'Cluster Version is that of the agents’ image: Calico keeps its own in etcd, which --etcd-endpoints, --etcd-ca, --etcd-cert and --etcd-key let this command read.',
        );
      if (read?.calicoUnknown) terminal.err(`Cluster Version is unknown. ${visible(read.calicoUnknown)}`);
    }
    if (format !== 'table') writeData(terminal, format, data);
    else terminal.out(lines.map(([label, value]) => `${(label ?? '').padEnd(20)}${value}`).join('\n'));
    if (unreached !== null) throw unreached;
    return exit.fine;
  },
};
