import { resolve } from 'node:path';
import { type FlagsByProgram, flagsByProgram } from '#lib/text/index.ts';
import type { Flags } from '../flags.ts';

/** The cluster's flags for suggested commands of Signalbox: ` --sandbox standard`. */
export function sameCluster(flags: Flags): string {
  const { signalbox, journals } = sameClusterByProgram(flags);
  return `${signalbox}${journals}`;
}

/** The cluster's flags for commands of each program. Without KUBECONFIG, which the user's shell has already. */
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
