import { type Clock, type Kube, type MissingRule, systemClock } from '#lib/kube/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { CollectorOutput, RecordedField } from './collector.ts';
import { collectors } from './collectors.ts';
import { probeEndpoint } from './endpoint/endpoint-probe.ts';
import { measureNodes } from './measured-nodes.ts';
import { emptyFacts } from './reading/empty-facts.ts';
import { throwIfAborted } from './reading/read-also.ts';
import { type Progress, Session } from './reading/session.ts';
import type { FactKey, Facts } from './schema.ts';

export type CollectOptions = {
  kube: Kube;
  clock?: Clock;
  /** Answers: a chosen endpoint is tested, and a chosen platform decides which endpoint is suggested. */
  choices?: Choices;
  /** Rights that goals need; the answers are in `resources.access`. */
  rules?: readonly MissingRule[];
  /** The API server in the kubeconfig (`KnownContext.server`, or its URL), which is suggested on hosted services. */
  server?: string | null;
  /** Fields that journals of ended runs say they left (lib/run). Those that still hold are in `resources.leftBehind`. */
  leftBehind?: readonly RecordedField[];
  signal?: AbortSignal;
  progress?: Progress;
};

/**
 * Reads a cluster. What could not be read is listed in `coverage` with the reason, and the other facts are still there. Rejects with a KubeError only if
 * nothing at all could be read (a refusal counts as read), or if `signal` aborts. Pods are streamed, so memory does not grow with their number.
 */
export async function collectFacts(options: CollectOptions): Promise<Facts> {
  const { kube, clock = systemClock, signal, progress } = options;
  const choices = options.choices ?? null;
  const session = new Session(kube, { signal, progress, rules: options.rules ?? [], goal: choices?.goal ?? null });
  throwIfAborted(signal);

  const reads = collectors.map((collector) => collector.enlist(session));
  const collects = await Promise.all(reads.map((read) => read()));
  if (session.failure) throw session.failure;

  const context = {
    choices,
    source: kube.source,
    server: options.server ?? kube.server ?? null,
    leftBehind: options.leftBehind ?? [],
  };
  const facts = collects.reduce(
    (output, collect) => withOutput(output, collect(output, context)),
    emptyFacts(kube, clock),
  );
  const [{ probe, coverage }, measured] = await Promise.all([
    probeEndpoint(kube, facts, choices, signal),
    measureNodes(kube, facts, choices, signal),
  ]);
  throwIfAborted(signal);
  return {
    ...facts,
    measured,
    resources: { ...facts.resources, endpointProbe: probe },
    coverage: { ...facts.coverage, endpointProbe: coverage },
  };
}

/** Rights for reading all facts, or one of them. Without them only these facts are missing. */
export function readingRules(fact?: FactKey): MissingRule[] {
  const all = collectors.flatMap(({ provides, rules }) => (fact === undefined || provides.includes(fact) ? rules : []));
  return [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function withOutput(facts: Facts, output: CollectorOutput): Facts {
  return {
    ...facts,
    cluster: { ...facts.cluster, ...output.cluster },
    platform: { ...facts.platform, ...output.platform },
    nodes: output.nodes ?? facts.nodes,
    installation: { ...facts.installation, ...output.installation },
    proxy: { ...facts.proxy, ...output.proxy },
    endpoint: { ...facts.endpoint, ...output.endpoint },
    pools: output.pools ?? facts.pools,
    features: { ...facts.features, ...output.features },
    resources: { ...facts.resources, ...output.resources },
    upgrade: { ...facts.upgrade, ...output.upgrade },
    coverage: { ...facts.coverage, ...output.coverage },
  };
}
