import { resolve } from 'node:path';
import { type FlagsByProgram, flagsByProgram, sentenceWithClusterFlags } from '#lib/text/index.ts';
import type { Flags } from '../flags.ts';
import { dumpsOf } from '../global-flags.ts';

/** A sentence for this terminal: its commands in backticks name the cluster that the flags name. */
export function withFlagsOf(sentence: string, flags: Flags): string {
  return sentenceWithClusterFlags(sentence, sameClusterByProgram(flags));
}

/** The cluster's flags for commands of each program. Without KUBECONFIG, which the user's shell has already. */
export function sameClusterByProgram(flags: Flags): FlagsByProgram {
  const [kubeconfig, endpoints] = [path(flags, 'kubeconfig'), flags.text('etcd-endpoints')];
  return flagsByProgram({
    sandbox: flags.text('sandbox'),
    context: flags.text('context'),
    kubeconfig: kubeconfig === undefined ? undefined : { file: kubeconfig },
    journalNamespace: flags.text('journal-namespace'),
    dump: dumpsOf(flags).map((given) => resolve(given)),
    etcd:
      endpoints === undefined
        ? undefined
        : { endpoints, ca: path(flags, 'etcd-ca'), cert: path(flags, 'etcd-cert'), key: path(flags, 'etcd-key') },
  });
}

function path(flags: Flags, name: string): string | undefined {
  const value = flags.text(name);
  return value === undefined ? undefined : resolve(value);
}
