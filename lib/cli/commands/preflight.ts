import { counted } from '#lib/base/words.ts';
import { testAnswers } from '#lib/checks/index.ts';
import type { TestOutcome } from '#lib/kube/index.ts';
import { probeObjects } from '#lib/probe/index.ts';
import { nodeTests, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { type Preflight, prepareProbe, readFacts } from '#lib/usecases/index.ts';
import { choicesFromFlags, withGoal } from '../choices-from-flags.ts';
import type { Command, Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { parseDuration } from '../flags.ts';
import { choiceFlags, liveClusterFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { testNodes } from '../run/test-nodes.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, rowsWidth, type Terminal } from '../terminal/terminal.ts';

const formats = ['table', 'json', 'yaml'] as const;

export const preflight: Command = {
  name: 'preflight',
  arguments: '',
  summary:
    'Test on every node what only the node can tell, with pods that are removed again. check, plan and apply use the results for 15 minutes. Exit 3 when a node failed a test, or no node was tested.',
  flags: {
    ...liveClusterFlags({
      help: 'not possible here: a dump has no nodes to test',
      refusal: '--from is a dump: it has no nodes to test. Name the cluster with --context',
    }),
    goal: choiceFlags.goal,
    endpoint: choiceFlags.endpoint,
    release: choiceFlags.release,
    nodes: { value: 'SELECTOR', help: 'test only nodes with these labels: KEY=VALUE,…' },
    'probe-image': { value: 'IMAGE', help: "image of the pods, in place of the agent's; needs the same programs" },
    wait: { value: 'DURATION', help: 'how long to wait for the nodes (default 3m, more for many nodes)' },
    show: { help: 'print every object that would be created, and create nothing' },
    keep: { help: 'do not remove the pods afterwards' },
    yes: { short: 'y', help: 'do not ask for confirmation' },
    ...outputFlags,
  },
  async run(invocation) {
    const { flags, signal, terminal } = invocation;
    formatOf(flags, formats);
    const wait = flags.text('wait');
    const patience = wait === undefined ? {} : { patienceMs: parseDuration('wait', wait) };
    const answers = await choicesFromFlags(flags);
    return withCluster(invocation, 'fresh', async (cluster) => {
      const use = <T>(work: (cluster: OpenCluster) => Promise<T>) => work(cluster);
      const facts = await readFacts({ ...answers, goal: answers.goal ?? 'enable' }, { use, signal });
      const nodeSelector = selectorOf(flags.text('nodes'));
      // Nodes can also be tested if eBPF is on already.
      const goal = answers.goal ?? (facts.installation.method === 'none' ? 'install' : 'enable');
      const prepared = prepareProbe(facts, withGoal({ ...answers, goal }, facts), {
        image: flags.text('probe-image') ?? null,
        nodes: await nodesOf(cluster, flags.text('nodes'), signal),
        nodeSelector,
      });
      if ('because' in prepared) throw usageError(prepared.because);
      if (flags.has('show')) {
        terminal.out(probeObjects(prepared.settings).map(yamlText).join('---\n'));
        return exit.fine;
      }
      const afterwards = flags.has('keep') ? 'kept' : 'removed';
      return tell(invocation, await testNodes(invocation, cluster, { facts, prepared, afterwards, ...patience }));
    });
  },
};

type Found = Pick<Preflight, 'endpoint' | 'nodes'>;

/** `a=b,c=d`, the only form of label selectors that a pod's nodeSelector has. */
function selectorOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [key = '', value, ...rest] = part.split(/==?/);
      if (key.trim() === '' || value === undefined || rest.length > 0)
        throw usageError(`--nodes: ${JSON.stringify(part)} is not KEY=VALUE`);
      return [key.trim(), value.trim()];
    }),
  );
}

async function nodesOf({ kube }: OpenCluster, selector: string | undefined, signal: AbortSignal) {
  if (selector === undefined) return null;
  const found = new Set<string>();
  for await (const { items } of kube.listMetadata(resources.nodes, { labelSelector: selector, signal }))
    for (const { metadata } of items) found.add(metadata.name ?? '');
  if (found.size === 0) throw usageError(`--nodes: no node has the labels ${selector}`);
  return found;
}

function tell({ terminal, flags }: Invocation, { endpoint, nodes }: Found): number {
  const format = formatOf(flags, formats);
  if (format === 'table') terminal.out(table(nodes, terminal));
  else writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Measurements', endpoint, nodes });
  if (nodes.every(({ tests }) => Object.values(tests).every(({ kind }) => kind === 'not-run'))) return exit.blocked;
  return nodes.some(({ tests }) => Object.values(tests).some(({ kind }) => kind === 'failed'))
    ? exit.blocked
    : exit.fine;
}

const marks = { passed: 'passed', failed: 'FAILED', 'not-run': 'not run' } as const;

/** One row per test: the number of nodes where it passed, the checks that it answers, and why it failed on the others. */
function table(nodes: Found['nodes'], terminal: Terminal): string {
  const { paint } = terminal;
  const rows = nodeTests.flatMap(({ id, title }) => {
    const outcomes = nodes.flatMap(({ node, tests }) => (tests[id] ? [{ node, outcome: tests[id] }] : []));
    if (outcomes.length === 0) return [];
    const passed = outcomes.filter(({ outcome }) => outcome.kind === 'passed').length;
    const others = outcomes.flatMap(({ node, outcome }) => lineOf(node, outcome));
    const head = [
      paint('bold', title),
      `${passed} of ${counted(nodes.length, 'node')}`,
      paint('dim', testAnswers[id].answers.join(', ')),
    ];
    return [head, ...others];
  });
  return columns(rows, rowsWidth(terminal));
}

function lineOf(node: string, outcome: TestOutcome): string[][] {
  if (outcome.kind === 'passed') return [];
  return [[`  ${visibleLine(node)}`, marks[outcome.kind], visibleLine(outcome.because)]];
}
