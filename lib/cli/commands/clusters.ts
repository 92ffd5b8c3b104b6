import { connect, isKubeError, type KnownContext, listContexts } from '#lib/kube/index.ts';
import { stateFolder } from '#lib/run/index.ts';
import { listSandboxes } from '#lib/sandbox/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import type { Command, Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { parseDuration } from '../flags.ts';
import { clusterFlags, outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, rowsWidth } from '../terminal/terminal.ts';

export const clusters: Command = {
  name: 'clusters',
  arguments: '',
  summary:
    'List the clusters in reach: contexts of the kubeconfig, the cluster this runs in, and sandboxes. Connects only to those that --ask names.',
  flags: {
    kubeconfig: clusterFlags.kubeconfig,
    ask: {
      value: 'NAME',
      many: true,
      help: 'test if this context answers: sends its credentials, and runs the program that provides them',
    },
    timeout: clusterFlags.timeout,
    ...outputFlags,
  },
  async run(invocation) {
    const { flags, terminal, env } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const known = await listContexts({ kubeconfig: flags.text('kubeconfig'), env });
    const named = flags.list('ask');
    const stranger = named.find((name) => !known.some((one) => one.name === name));
    if (stranger !== undefined)
      throw usageError(`--ask: there is no context ${JSON.stringify(stranger)}; \`signalbox clusters\` lists them`);
    const contexts = await Promise.all(
      known.map(async (one) => (named.includes(one.name) ? { ...one, answer: await ask(one, invocation) } : one)),
    );
    const sandboxes = await listSandboxes(await stateFolder(env));
    if (format !== 'table') {
      writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Clusters', contexts, sandboxes });
      return exit.fine;
    }
    const rows = [
      ['', 'NAME', 'KIND', 'SERVER', 'NOTE'],
      ...contexts.map((one) => [
        one.current ? '*' : '',
        visibleLine(one.name),
        one.source,
        visibleLine(one.server ?? ''),
        visibleLine(noteOf(one)),
      ]),
      ...sandboxes.map((one) => ['', one.name, 'sandbox', '', one.shows]),
    ];
    terminal.out(columns(rows, rowsWidth(terminal)));
    return exit.fine;
  },
};

type Answer = { reachable: true; kubernetes: string | null } | { reachable: false; code: string; message: string };

async function ask({ name, problem }: KnownContext, { flags, env, signal }: Invocation): Promise<Answer> {
  if (problem !== null) return { reachable: false, code: 'invalid', message: problem };
  const timeoutMs = parseDuration('timeout', flags.text('timeout') ?? '30s');
  try {
    const kube = await connect({ kubeconfig: flags.text('kubeconfig'), context: name, timeoutMs, env });
    try {
      return { reachable: true, kubernetes: await kube.version({ signal }) };
    } finally {
      await kube.close();
    }
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return { reachable: false, code: error.code, message: error.message };
  }
}

function noteOf({ problem, warnings, notAsked, answer }: KnownContext & { answer?: Answer }): string {
  if (problem !== null) return problem;
  const answerNotes =
    answer === undefined
      ? notAsked === null
        ? []
        : [`not asked: ${notAsked}`]
      : [answer.reachable ? `answers: Kubernetes ${answer.kubernetes ?? 'of an unknown version'}` : answer.message];
  return [...answerNotes, ...warnings].join('; ');
}
