import { resolve } from 'node:path';
import { type FlagsByProgram, flagsByProgram } from '#lib/text/index.ts';
import type { Flags } from '../flags.ts';

/** The flags that named the cluster, for a command of Signalbox that is suggested: ` --sandbox standard`. */
export function sameCluster(flags: Flags): string {
  const { signalbox, journals } = sameClusterByProgram(flags);
  return `${signalbox}${journals}`;
}

/** What named the cluster, for commands of each program. KUBECONFIG is that of the shell into which they are copied, and is not said again. */
export function sameClusterByProgram(flags: Flags): FlagsByProgram {
  const [kubeconfig, endpoints] = [path(flags, 'kubeconfig'), flags.text('etcd-endpoints')];
  return flagsByProgram({
    sandbox: flags.text('sandbox'),
    context: flags.text('context'),
    kubeconfig: kubeconfig === undefined ? undefined : { file: kubeconfig },
    journalNamespace: flags.text('journal-namespace'),
    etcd:
      endpoints === undefined
        ? undefined
        : { endpoints, ca: path(flags, 'etcd-ca'), cert: path(flags, 'etcd-cert'), key: path(flags, 'etcd-key') },
  });
}

function path(flags: Flags, name: string): string | undefined {
  const given = flags.text(name);
  return given === undefined ? undefined : resolve(given);
}
