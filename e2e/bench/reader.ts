import { collectFacts } from '#lib/facts/index.ts';
import { connect } from '#lib/kube/index.ts';
import { BareClient } from './bare-client.ts';

/** One measured reading in a process of its own, so that its memory is its own. Prints a line of JSON. */
const [what = '', kubeconfig = ''] = process.argv.slice(2);

const read: Record<string, () => Promise<Record<string, unknown>>> = {
  bare: async () => {
    const client = new BareClient(kubeconfig, 1);
    const nodes = await client.pageThrough('/api/v1/nodes');
    const pods = await client.pageThrough('/api/v1/pods');
    await client.close();
    return { objects: nodes.objects + pods.objects, bytes: nodes.bytes + pods.bytes };
  },
  facts: async () => {
    const kube = await connect({ kubeconfig });
    const facts = await collectFacts({ kube });
    await kube.close();
    return { objects: facts.nodes.length + (facts.resources.podCount ?? 0) };
  },
};

const started = performance.now();
const told = await read[what]?.();
const ms = performance.now() - started;
process.stdout.write(`${JSON.stringify({ ...told, ms, peakKiB: process.resourceUsage().maxRSS })}\n`);
