import { type CommandInScript, commandsIn } from './commands-in.ts';
import type { FlagsByProgram } from './flags-by-program.ts';

/** Commands of Signalbox without `--context`; and `node` and `operator`, which run on a node or in a pod of the cluster itself. */
const namesNoCluster: ReadonlySet<string> = new Set(
  'clusters completion console flow-aggregator node operator rbac release sandbox schema spec'.split(' '),
);

/** Commands of Signalbox with the flag `--journal-namespace`. */
export const readsJournals: ReadonlySet<string> = new Set(
  'apply flows pause report resume runs status stop undo'.split(' '),
);

/** Commands of Signalbox with flags `--etcd-*`. */
export const readsEtcd: ReadonlySet<string> = new Set('apply check inspect plan resume undo version'.split(' '));

/** Commands of Signalbox for which a dump is enough (`--from`). */
export const readsDumps: ReadonlySet<string> = new Set('check get inspect plan report runs status version'.split(' '));

/** Commands of helm that reach a cluster (`helm help`, Helm 3.22 and 4.3). The others read charts. */
const helmReadsCluster: ReadonlySet<string> = new Set(
  'get history install list ls rollback status test uninstall upgrade'.split(' '),
);

/** Text inserted before the program, and after its name or at the end of its arguments. */
type Inserted = { readonly before: string; readonly after: string; readonly at: 'name' | 'end' };

/** Null: this command takes no cluster. */
const programs: Readonly<Record<string, (command: CommandInScript, flags: FlagsByProgram) => Inserted | null>> = {
  signalbox: ({ args: [verb = '', ...args] }, { environment, signalbox, journals, etcd, dump, kubeconfig }) => {
    if (verb === 'clusters') return { before: environment, after: kubeconfig, at: 'end' };
    if (verb === '' || namesNoCluster.has(verb)) return null;
    const after = [
      signalbox,
      readsDumps.has(verb) ? dump : '',
      readsEtcd.has(verb) && !hasFlag(args, '--etcd-endpoints') ? etcd : '',
      readsJournals.has(verb) && !hasFlag(args, '--journal-namespace') ? journals : '',
    ];
    return { before: environment, after: after.join(''), at: 'end' };
  },
  kubectl: (_command, { environment, kubectl }) => ({ before: environment, after: kubectl, at: 'name' }),
  oc: (_command, { environment, kubectl }) => ({ before: environment, after: kubectl, at: 'name' }),
  // `helm upgrade` without a release is a term in a sentence, not a command.
  helm: ({ args: [verb = '', ...more] }, { environment, helm }) =>
    helmReadsCluster.has(verb) && more.length > 0 ? { before: environment, after: helm, at: 'name' } : null,
  calicoctl: (_command, { calicoctl }) => ({ before: calicoctl, after: '', at: 'name' }),
};

function namesCluster({ program, args: [verb = '', ...args] }: CommandInScript): boolean {
  if (program === 'signalbox' && readsDumps.has(verb) && hasFlag(args, '--from')) return true;
  return [verb, ...args].some((word) => /^--(?:kube-?config|(?:kube-)?context|sandbox)\b/.test(word));
}

function hasFlag(args: readonly string[], flag: string): boolean {
  return args.some((word) => word === flag || word.startsWith(`${flag}=`));
}

/**
 * A script whose commands name the cluster, by flags or by variables before them (`flags`). Without these, they would run on the current context of the
 * shell that they are copied into. A command that names a cluster itself stays as it is: it is meant for another cluster, such as the hub of Argo CD. Pure.
 */
export function withClusterFlags(script: string, flags: FlagsByProgram): string {
  const inserted = commandsIn(script).flatMap((command) => {
    const added = Object.hasOwn(programs, command.program) ? programs[command.program]?.(command, flags) : null;
    if (!added || namesCluster(command)) return [];
    return [
      { at: command.start, text: added.before },
      { at: added.at === 'name' ? command.nameEnd : command.end, text: added.after },
    ];
  });
  const parts: string[] = [];
  let from = 0;
  for (const { at, text } of inserted.toSorted((a, b) => a.at - b.at)) {
    parts.push(script.slice(from, at), text);
    from = at;
  }
  return [...parts, script.slice(from)].join('');
}

/** The same for a sentence: only commands in backticks are changed. Pure. */
export function sentenceWithClusterFlags(sentence: string, flags: FlagsByProgram): string {
  return sentence.replace(
    /`((?:[A-Z_]+=[^\s`]+ |env )*(?:calicoctl|helm|kubectl|oc|signalbox) [^`]+)`/g,
    (_, command: string) => `\`${withClusterFlags(command, flags)}\``,
  );
}
