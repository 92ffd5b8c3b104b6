import { isFlowError } from '#lib/flows/flow-error.ts';
import {
  everyFlow,
  type Flow,
  type FlowEnd,
  flowData,
  inForce,
  type Judgement,
  judge,
  judgementLines,
  openFlowClient,
  type PolicyPod,
  stagedSentence,
  type Traffic,
  trailLines,
  trailSentence,
  type WhyPolicy,
  withStaged,
} from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { jsonText, visibleLine } from '#lib/text/index.ts';
import { CliError, exit, usageError } from '../exit.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type ClusterPolicies, policiesOf } from './policies-of.ts';
import { type AskedEnd, endOf, isNamed, type PodEnd, readEnd, targetOf } from './policy-ends.ts';

const arrows = new Set(['→', '->']);

export function whyQuestion(words: readonly string[]) {
  const [from, to, ...more] = words.filter((word) => !arrows.has(word));
  if (from === undefined || to === undefined || more.length > 0)
    throw usageError('why takes two ends: signalbox flows why NAMESPACE/POD NAMESPACE/POD:PORT');
  return { from: endOf(from), to: targetOf(to) };
}

/**
 * Why one pod reaches another or not: from the flows of the window where there were some, else from the policies as they are. Which of the two it is
 * stands in its first line.
 */
export async function tellWhy(
  kube: Kube,
  { from, to }: ReturnType<typeof whyQuestion>,
  {
    window,
    format,
    terminal,
    signal,
  }: { window: Window; format: 'table' | 'json'; terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  const [source, destination] = await Promise.all([readEnd(kube, from, signal), readEnd(kube, to.end, signal)]);
  const { port, protocol } = to;
  const ends = { from: nameOf(from, source), to: nameOf(to.end, destination) };
  const { flows, because } = await flowsBetween(kube, { ...ends, port, protocol }, window, signal);
  const question = `${podName(ends.from)} → ${podName(ends.to)}:${port} ${protocol}`;
  const data = { from: podName(ends.from), to: podName(ends.to), port, protocol };
  if (flows.length > 0) {
    const verdict = flows.some((flow) => flow.verdict === 'denied') ? 'denied' : 'allowed';
    if (format === 'json') writeJson(terminal, { ...data, answeredBy: 'flows', verdict, flows: flows.map(flowData) });
    else {
      terminal.out(`${question}: ${verdict}, as the flow logs of the last ${window.words} have it.`);
      for (const flow of flows) terminal.out(flowLines(flow).map(visibleLine).join('\n'));
    }
    return;
  }
  if (source === null) throw noPod(ends.from, because);
  if (destination === null) throw noPod(ends.to, because);
  const known = await policiesOf(kube, signal);
  const [one, other] = [source.pod([]), destination.pod([])];
  const isItself = one.namespace === other.namespace && one.name === other.name;
  const unjudged =
    known.unjudged ??
    source.unjudged ??
    destination.unjudged ??
    (isItself ? 'a pod reaches itself without the network, where no policy is asked' : null);
  const traffic = { from: source.pod(known.nets), to: destination.pod(known.nets), port, protocol };
  const now = unjudged === null ? bothEnds(inForce(known.policies), known, traffic) : null;
  const staged = unjudged === null ? bothEnds(withStaged(known.policies), known, traffic) : null;
  const verdict = now?.verdict ?? 'unknown';
  const changed = staged !== null && staged.verdict !== verdict ? staged : null;
  if (format === 'json') {
    writeJson(terminal, {
      ...data,
      answeredBy: 'policies',
      noFlows: because,
      verdict,
      because: unjudged,
      ends: now?.ends.map(endData) ?? [],
      staged: changed && { verdict: changed.verdict, ends: changed.ends.map(endData) },
    });
    return;
  }
  terminal.out(
    [
      `${question}: ${verdict === 'unknown' ? 'cannot be told' : verdict}, judged from the policies as they are now. ${because}`,
      ...(unjudged === null ? [] : [`  ${unjudged}`]),
      ...(now === null ? [] : now.ends.flatMap(endLines)),
      ...(changed === null
        ? []
        : [
            `With the staged policies in force: ${changed.verdict === 'unknown' ? 'cannot be told' : changed.verdict}.`,
            ...changed.ends.flatMap(endLines),
          ]),
    ]
      .map(visibleLine)
      .join('\n'),
  );
}

export type Window = { readonly range: { readonly gte: number; readonly lt: number }; readonly words: string };

/** The newest flow of each end that reports; none, and why. */
async function flowsBetween(
  kube: Kube,
  { from, to, port, protocol }: { from: Named; to: Named; port: number; protocol: string },
  { range, words }: Window,
  signal: AbortSignal,
): Promise<{ flows: Flow[]; because: string }> {
  try {
    const client = await openFlowClient(kube, signal);
    const filter = { ...everyFlow, destPorts: [port] };
    const found = await client.list(range, filter, { signal }).finally(() => client.close());
    const between = found.filter(
      (flow) =>
        flow.port === port && flow.protocol.toUpperCase() === protocol && isOf(flow.from, from) && isOf(flow.to, to),
    );
    const flows = (['source', 'destination'] as const).flatMap(
      (reporter) => between.find((flow) => flow.reporter === reporter) ?? [],
    );
    return { flows, because: `Flow logs have none between them in the last ${words}.` };
  } catch (error) {
    if (isFlowError(error))
      return { flows: [], because: `No flow logs were read: ${error.message.split(/(?<=\.)\s/)[0]}` };
    throw error;
  }
}

/** What an end is called: as it was asked for, where that is a name. */
type Named = { readonly namespace: string; readonly name: string };

function nameOf(asked: AskedEnd, found: PodEnd | null): Named {
  if ('name' in asked) return asked;
  return found?.pod([]) ?? { namespace: asked.namespace, name: asked.labels };
}

const noPod = (end: Named, because: string) =>
  new CliError(exit.notAsAsked, `There is no pod ${podName(end)}, and no flow tells of one. ${because}`);

/** Pods of one owner are one end of a flow, `checkout-7d9c6b8f5-*`. */
function isOf(end: FlowEnd, { namespace, name }: Named): boolean {
  const isName = isNamed(end, name) || (end.name.endsWith('*') && name.startsWith(end.name.slice(0, -1)));
  return end.kind === 'workload' && end.namespace === namespace && isName;
}

type End = { readonly end: 'source' | 'destination'; readonly pod: PolicyPod; readonly judgement: Judgement };

function bothEnds(policies: readonly WhyPolicy[], { tiers }: ClusterPolicies, traffic: Traffic) {
  const ends: End[] = [
    { end: 'source', pod: traffic.from, judgement: judge(policies, tiers, 'egress', traffic) },
    { end: 'destination', pod: traffic.to, judgement: judge(policies, tiers, 'ingress', traffic) },
  ];
  const verdicts = ends.map(({ judgement }) => judgement.verdict);
  const verdict = (['denied', 'unknown'] as const).find((one) => verdicts.includes(one)) ?? 'allowed';
  return { ends, verdict };
}

const podName = ({ namespace, name }: Named) => visibleLine(`${namespace}/${name}`);

const directions = { source: 'At the source, egress of', destination: 'At the destination, ingress of' } as const;

function endLines({ end, pod, judgement }: End): string[] {
  const verdict = judgement.verdict === 'unknown' ? 'cannot be told' : judgement.verdict;
  return [
    `${directions[end]} ${podName(pod)}: ${verdict}.`,
    ...judgementLines(judgement, pod).map((line) => `  ${line}`),
  ];
}

const endData = ({ end, pod, judgement }: End) => ({
  end,
  pod: podName(pod),
  verdict: judgement.verdict,
  trail: judgementLines(judgement, pod),
});

function flowLines(flow: Flow): string[] {
  const staged = stagedSentence(flow);
  return [
    trailSentence(flow),
    ...trailLines(flow).map((line) => `  ${line}`),
    ...(staged === null ? [] : [`  ${staged}`]),
  ];
}

function writeJson(terminal: Terminal, data: object): void {
  terminal.out(jsonText({ apiVersion: 'signalbox.dev/v1', kind: 'Why', ...data }, 2));
}
