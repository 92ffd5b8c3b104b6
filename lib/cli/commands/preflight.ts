import { counted } from '#lib/base/words.ts';
import { stateFolder } from '#lib/folders/index.ts';
import { probeNames, probeObjects } from '#lib/probe/index.ts';
import { type NodeTest, nodeTests, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import {
  preflight as measure,
  type Preflight,
  type PreparedProbe,
  prepareProbe,
  readFacts,
} from '#lib/usecases/index.ts';
import { choicesFromFlags, withGoal } from '../choices-from-flags.ts';
import type { Command, Invocation } from '../command.ts';
import { CliError, exit, usageError } from '../exit.ts';
import { choiceFlags, clusterFlags, outputFlags } from '../global-flags.ts';
import { type OpenCluster, withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, type Terminal } from '../terminal/terminal.ts';

export const preflight: Command = {
  name: 'preflight',
  arguments: '',
  summary:
    'Measures on every node what only a node can tell, with pods that are removed again; check, plan and apply use it for 15 minutes. Exit 3 when a node fails a test, or none was measured.',
  flags: {
    ...clusterFlags,
    goal: choiceFlags.goal,
    endpoint: choiceFlags.endpoint,
    release: choiceFlags.release,
    nodes: { value: 'SELECTOR', help: 'only nodes with these labels, as KEY=VALUE,…' },
    'probe-image': { value: 'IMAGE', help: "in place of the agent's own; needs the same programs" },
    show: { help: 'print every object that would be made, and make nothing' },
    keep: { help: 'leave the pods there afterwards' },
    yes: { short: 'y', help: 'do not ask for confirmation' },
    ...outputFlags,
  },
  async run(invocation) {
    const { flags, env, signal, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const given = await choicesFromFlags(flags);
    return withCluster(invocation, 'fresh', async (cluster) => {
      const { kube, clock } = cluster;
      const use = <T>(work: (cluster: OpenCluster) => Promise<T>) => work(cluster);
      const facts = await readFacts({ ...given, goal: given.goal ?? 'enable' }, { use, signal });
      if (kube.source !== 'live') return tell(invocation, ofSandbox(kube.source, facts.measured));
      const nodeSelector = selectorOf(flags.text('nodes'));
      const prepared = prepareProbe(facts, withGoal(given, facts), {
        image: flags.text('probe-image') ?? null,
        nodes: await nodesOf(cluster, flags.text('nodes'), signal),
        nodeSelector,
      });
      if ('because' in prepared) throw usageError(prepared.because);
      if (flags.has('show')) {
        terminal.out(probeObjects(prepared.settings).map(yamlText).join('---\n'));
        return exit.fine;
      }
      await confirm(invocation, cluster, prepared);
      const found = await measure({
        kube,
        clock,
        facts,
        prepared,
        afterwards: flags.has('keep') ? 'kept' : 'removed',
        stateFolder: await stateFolder(env),
        signal,
        ...(format === 'table' ? { progress: progressOn(terminal) } : {}),
      });
      if (found.left !== null) terminal.err(found.left);
      return tell(invocation, found);
    });
  },
};

type Found = Pick<Preflight, 'endpoint' | 'nodes'>;

/** A sandbox answers as it was measured; a dump has no nodes to ask. */
function ofSandbox(
  source: 'dump' | 'sandbox',
  measured: { endpoint: Found['endpoint']; nodes: readonly unknown[] } | null,
): Found {
  if (source === 'dump' || measured === null)
    throw usageError('--from is a dump: nothing can be measured on its nodes');
  return measured as Found;
}

/** `a=b,c=d`; of what label selectors offer this alone can be said in a pod. */
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

async function confirm({ terminal, flags }: Invocation, cluster: OpenCluster, { question, settings }: PreparedProbe) {
  const pods = settings.podNetwork === 'there' ? 'two pods' : 'a pod';
  terminal.err(
    `Makes namespace ${probeNames.namespace} with ${pods} on each of ${counted(question.nodes.length, 'node')}, one of them privileged, from ${visibleLine(settings.image)}; \`--show\` prints them whole. ${flags.has('keep') ? 'They stay there.' : 'All of it is removed afterwards.'}`,
  );
  if (flags.has('yes')) return;
  if (!terminal.canAsk) throw usageError('--yes is needed without a terminal: preflight makes pods on the nodes');
  const answer = await terminal.ask(`Test the nodes of ${visibleLine(cluster.kube.name)}? Type yes to go on: `);
  if (answer !== 'yes') throw new CliError(exit.notAsAsked, 'Nothing was changed.');
}

function progressOn(terminal: Terminal): (reported: number, of: number) => void {
  let last = -1;
  return (reported, of) => {
    if (reported === last) return;
    last = reported;
    terminal.err(`${reported} of ${counted(of, 'node')} reported`);
  };
}

function tell({ terminal, flags }: Invocation, { endpoint, nodes }: Found): number {
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  if (format === 'table') terminal.out(table(nodes, terminal));
  else writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Measurements', endpoint, nodes });
  if (nodes.every(({ tests }) => Object.values(tests).every(({ kind }) => kind === 'not-run'))) return exit.blocked;
  return nodes.some(({ tests }) => Object.values(tests).some(({ kind }) => kind === 'failed'))
    ? exit.blocked
    : exit.fine;
}

const marks = { passed: 'passed', failed: 'FAILED', 'not-run': 'not run' } as const;

/** A row a test: on how many nodes it passed, and why not on the others. */
function table(nodes: Found['nodes'], { paint }: Terminal): string {
  const rows = nodeTests.flatMap(({ id, title }) => {
    const passed = nodes.filter(({ tests }) => tests[id].kind === 'passed').length;
    const others = nodes.flatMap(({ node, tests }) => lineOf(node, tests[id]));
    const head = [paint('bold', title), `${passed} of ${counted(nodes.length, 'node')}`, ''];
    return [head, ...others];
  });
  return columns(rows);
}

function lineOf(node: string, outcome: Found['nodes'][number]['tests'][NodeTest]): string[][] {
  if (outcome.kind === 'passed') return [];
  return [[`  ${visibleLine(node)}`, marks[outcome.kind], visibleLine(outcome.because)]];
}
