/**
 * What names a cluster in a command of each program, with a space before it; null: the program cannot reach it. `journals`: the namespace of journals, for
 * commands of Signalbox that read them.
 */
export type FlagsByProgram = {
  readonly signalbox: string;
  readonly kubectl: string | null;
  readonly journals?: string;
};

/** What reads no cluster takes no flag that names one. */
const readsCluster = /^signalbox (?!rbac\b|release\b|schema\b|spec\b)/;

/** Those that have the flag `--journal-namespace`. */
export const readsJournals = /^signalbox (apply|flows|pause|report|resume|runs|status|stop|undo)\b/;

/** kubectl as a shell runs it: where a line begins, behind a pipe or another command, in a loop. One that names another cluster itself keeps that. */
const runsKubectl = /(^|[|;&(]\s*|\bdo\s+)kubectl(?=\s)(?!\s+--(?:context|kubeconfig)\b)/g;

/**
 * Commands, a line each, led to the cluster that was asked: without its flags they would be carried out on the kubeconfig's current context. kubectl has them
 * behind its name, as a pipe, a file or a document may follow. Where kubectl cannot reach it, its commands stay as they are.
 */
export function ledToCluster(commands: string, { signalbox, kubectl, journals = '' }: FlagsByProgram): string {
  return commands
    .split('\n')
    .map((line) =>
      readsCluster.test(line)
        ? `${line}${signalbox}${readsJournals.test(line) ? journals : ''}`
        : line.replace(runsKubectl, (found) => `${found}${kubectl ?? ''}`),
    )
    .join('\n');
}

/** The same for a sentence with its commands in backticks. */
export function sentenceLedToCluster(sentence: string, flags: FlagsByProgram): string {
  return sentence.replace(
    /`((?:kubectl|signalbox) [^`]+)`/g,
    (_, command: string) => `\`${ledToCluster(command, flags)}\``,
  );
}
