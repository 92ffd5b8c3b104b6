import { type CommandInScript, commandsIn } from './commands-in.ts';
import type { FlagsByProgram } from './flags-by-program.ts';

/** Commands of Signalbox that take no `--context`; and `node` and `operator`, which run on a node or in a pod of the cluster itself. */
const namesNoCluster: ReadonlySet<string> = new Set(
  'clusters completion console flow-aggregator node operator rbac release sandbox schema spec'.split(' '),
);

/** Those that have the flag `--journal-namespace`. */
export const readsJournals: ReadonlySet<string> = new Set(
  'apply flows pause report resume runs status stop undo'.split(' '),
);

/** Commands of helm that speak with a cluster (`helm help`, Helm 3.22 and 4.3). The others read charts. */
const helmReadsCluster: ReadonlySet<string> = new Set(
  'get history install list ls rollback status test uninstall upgrade'.split(' '),
);

/** What stands before a program and behind what; null: it is no command that is led. */
type Led = { readonly before: string; readonly behind: string; readonly at: 'name' | 'end' };

const programs: Readonly<Record<string, (command: CommandInScript, flags: FlagsByProgram) => Led | null>> = {
  signalbox: ({ args: [verb = '', ...args] }, { environment, signalbox, journals }) =>
    verb === '' || namesNoCluster.has(verb)
      ? null
      : { before: environment, behind: `${signalbox}${takesJournals(verb, args) ? journals : ''}`, at: 'end' },
  kubectl: (_command, { environment, kubectl }) => ({ before: environment, behind: kubectl, at: 'name' }),
  oc: (_command, { environment, kubectl }) => ({ before: environment, behind: kubectl, at: 'name' }),
  // Without a release it is the name of what helm does, and no command.
  helm: ({ args: [verb = '', ...more] }, { environment, helm }) =>
    helmReadsCluster.has(verb) && more.length > 0 ? { before: environment, behind: helm, at: 'name' } : null,
  calicoctl: (_command, { calicoctl }) => ({ before: calicoctl, behind: '', at: 'name' }),
};

function takesJournals(verb: string, args: readonly string[]): boolean {
  return readsJournals.has(verb) && !args.some((word) => word.startsWith('--journal-namespace'));
}

/**
 * Commands of a script, led to the cluster that was asked: without what names it they would be carried out on the current context of the shell that they
 * are copied to. One that names a cluster itself keeps that: it is meant for another one, as for the hub of Argo CD.
 */
export function ledToCluster(script: string, flags: FlagsByProgram): string {
  const inserted = commandsIn(script).flatMap((command) => {
    const led = Object.hasOwn(programs, command.program) ? programs[command.program]?.(command, flags) : null;
    if (!led || command.args.some((word) => /^--(?:kube-?config|(?:kube-)?context|sandbox)\b/.test(word))) return [];
    return [
      { at: command.start, text: led.before },
      { at: led.at === 'name' ? command.nameEnd : command.end, text: led.behind },
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

/** The same for a sentence with its commands in backticks. */
export function sentenceLedToCluster(sentence: string, flags: FlagsByProgram): string {
  return sentence.replace(
    /`((?:[A-Z_]+=[^\s`]+ |env )*(?:calicoctl|helm|kubectl|oc|signalbox) [^`]+)`/g,
    (_, command: string) => `\`${ledToCluster(command, flags)}\``,
  );
}
