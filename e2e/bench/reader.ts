import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runChecks } from '#lib/checks/index.ts';
import { collectFacts, scanDependants } from '#lib/facts/index.ts';
import { connect, type Kube, openDump } from '#lib/kube/index.ts';
import type { Releases } from '#lib/run/index.ts';
import { sandboxRelease } from '#lib/sandbox/index.ts';
import { choicesSchema, resources } from '#lib/spec/index.ts';
import { preparePlan } from '#lib/usecases/index.ts';
import { BareClient } from './bare-client.ts';

const listed = z.object({ items: z.array(z.unknown()) });

/** One measured reading in a process of its own, so that its memory is its own. Prints a line of JSON. */
const [what = '', place = ''] = process.argv.slice(2);

const nothing = join(import.meta.dirname, 'empty-dump.json');
const upgrade = choicesSchema.parse({ goal: 'upgrade', acceptProposals: true, release: 'v3.31.4' });
const enable = choicesSchema.parse({ goal: 'enable', acceptProposals: true });

const read: Record<string, () => Promise<Record<string, unknown>>> = {
  bare: async () => {
    const client = new BareClient(place, 1);
    const nodes = await client.pageThrough('/api/v1/nodes');
    const pods = await client.pageThrough('/api/v1/pods');
    await client.close();
    return { objects: nodes.objects + pods.objects, bytes: nodes.bytes + pods.bytes };
  },
  'dump-parse': async () => ({ objects: listed.parse(JSON.parse(readFileSync(place, 'utf8'))).items.length }),
  'dump-open': async () => ({ objects: (await objectsIn(await openDump([place]))).length }),
  'dump-check': async () => {
    const facts = await collectFacts({ kube: await openDump([place]), choices: enable });
    const { findings } = runChecks(facts, enable, { now: facts.observedAt });
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0), findings: findings.length };
  },
  'upgrade-plan': async () => {
    const kube = await openDump([place]);
    const releases: Releases = async ({ version }) => sandboxRelease(version);
    const { signal } = new AbortController();
    const { plan, facts } = await preparePlan({ kube, answers: upgrade, choices: () => upgrade, releases, signal });
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0), steps: plan.operations.length };
  },
  metadata: async () => {
    const kube = await connect({ kubeconfig: place });
    let objects = 0;
    for (const resource of (await kube.discover()).resources.filter(({ verbs }) => verbs.includes('list')))
      for await (const { items } of kube.listMetadata(resource, { pageSize: 500 })) objects += items.length;
    await kube.close();
    return { objects };
  },
  owners: async () => {
    const kube = await connect({ kubeconfig: place });
    let objects = 0;
    await scanDependants(kube, () => objects++);
    await kube.close();
    return { objects };
  },
  facts: async () => {
    const kube = await connect({ kubeconfig: place });
    const facts = await collectFacts({ kube });
    await kube.close();
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0) };
  },
};

async function objectsIn(dump: Kube): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const resource of [resources.nodes, resources.pods])
    for await (const { items } of dump.list(resource)) found.push(...items);
  return found;
}

// An empty dump first loads all code that is loaded on first use, so that the figures are those of reading a cluster.
await collectFacts({ kube: await openDump([nothing]) });
const startKiB = Math.round(process.memoryUsage.rss() / 1024);
const started = performance.now();
const worked = process.cpuUsage();
const result = await read[what]?.();
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(worked);
const cpuMs = (user + system) / 1000;
process.stdout.write(
  `${JSON.stringify({ ...result, ms, cpuMs, startKiB, peakKiB: process.resourceUsage().maxRSS })}\n`,
);
