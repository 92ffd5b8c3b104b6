import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { clusterUidOf } from '#lib/plan/index.ts';
import { historyInWords, leftBy, probeObjectIds } from '#lib/probe/index.ts';
import { shellWord, visibleLine, withClusterFlags } from '#lib/text/index.ts';
import { type Preflight, type PreparedProbe, preflight, probeInWords } from '#lib/usecases/index.ts';
import type { Invocation } from '../command.ts';
import type { OpenCluster } from '../open-cluster.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { sameClusterByProgram } from './same-cluster.ts';

type NodeTest = { facts: Facts; prepared: PreparedProbe; afterwards: 'removed' | 'kept'; patienceMs?: number };

/** Prints what is created on the nodes, asks unless `--yes` is given, measures, and keeps the result. Rejects as `preflight`. */
export async function testNodes(invocation: Invocation, cluster: OpenCluster, test: NodeTest): Promise<Preflight> {
  const { env, flags, signal, terminal } = invocation;
  const { kube, clock } = cluster;
  const { facts, ...probe } = test;
  if (kube.source === 'live') await confirmTest(invocation, cluster, test);
  const isQuiet = terminal.verbosity === 'quiet' || !['table', undefined].includes(flags.text('output'));
  const found = await preflight({
    kube,
    clock,
    clusterUid: clusterUidOf(facts),
    ...probe,
    stateFolder: await stateFolder(env),
    signal,
    ...(isQuiet ? {} : { progress: progressOn(terminal) }),
  }).catch((error: unknown) => {
    const left = leftBy(error);
    if (left !== null) terminal.err(left);
    throw error;
  });
  if (found.left !== null) terminal.err(found.left);
  return found;
}

async function confirmTest(invocation: Invocation, cluster: OpenCluster, { prepared, afterwards }: NodeTest) {
  const { terminal, flags } = invocation;
  const { settings } = prepared;
  const { makes, withoutPod } = probeInWords(prepared);
  const answers = ['goal', 'release'].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  });
  const show = withClusterFlags(`signalbox preflight --show${answers.join('')}`, sameClusterByProgram(flags));
  terminal.err(
    `${visibleLine(makes)} \`${visibleLine(show)}\` prints every object whole. ${afterwards === 'kept' ? 'They stay there.' : 'All of it is removed afterwards.'}`,
  );
  if (withoutPod !== null) terminal.err(visibleLine(withoutPod));
  terminal.err(visibleLine(`Objects: ${probeObjectIds(settings).join(', ')}`));
  const history = historyInWords(settings);
  if (history !== null) terminal.err(history);
  await confirm(invocation, {
    why: 'testing makes pods on the nodes',
    question: `Test the nodes of ${visibleLine(cluster.kube.name)}? Type yes to continue: `,
  });
}

function progressOn(terminal: Terminal): (reported: readonly string[], of: number) => void {
  let last = -1;
  return ({ length: reported }, of) => {
    if (reported === last) return;
    last = reported;
    terminal.err(`${reported} of ${counted(of, 'node')} reported`);
  };
}
