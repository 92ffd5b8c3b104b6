import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { collectFacts } from '#lib/facts/index.ts';
import { connect, openDump } from '#lib/kube/index.ts';
import { BareClient } from './bare-client.ts';

const listed = z.object({ items: z.array(z.unknown()) });

/** One measured reading in a process of its own, so that its memory is its own. Prints a line of JSON. */
const [what = '', place = ''] = process.argv.slice(2);

const read: Record<string, () => Promise<Record<string, unknown>>> = {
  bare: async () => {
    const client = new BareClient(place, 1);
    const nodes = await client.pageThrough('/api/v1/nodes');
    const pods = await client.pageThrough('/api/v1/pods');
    await client.close();
    return { objects: nodes.objects + pods.objects, bytes: nodes.bytes + pods.bytes };
  },
  'dump-parse': async () => ({ objects: listed.parse(JSON.parse(readFileSync(place, 'utf8'))).items.length }),
  'dump-facts': async () => {
    const facts = await collectFacts({ kube: await openDump([place]) });
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0) };
  },
  facts: async () => {
    const kube = await connect({ kubeconfig: place });
    const facts = await collectFacts({ kube });
    await kube.close();
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0) };
  },
};

const started = performance.now();
const told = await read[what]?.();
const ms = performance.now() - started;
process.stdout.write(`${JSON.stringify({ ...told, ms, peakKiB: process.resourceUsage().maxRSS })}\n`);
