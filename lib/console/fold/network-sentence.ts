import { capital, counted, inList, sentence, thousands } from '#lib/base/words.ts';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { runsAgent } from '#lib/spec/platforms/virtual-node.ts';

type Seen = {
  nodes: readonly Pick<NodeFact, 'name' | 'os' | 'virtual' | 'notReady'>[];
  installation: { otherNetworks: readonly Partial<Facts['installation']['otherNetworks'][number]>[] };
};

/**
 * What connects the pods of a cluster without Calico, by its DaemonSets and its nodes' messages; empty if no node could be read. Names nodes that are
 * NotReady for another reason, which no network fixes. Pure.
 */
export function networkSentence({ nodes, installation }: Seen): string {
  const own = nodes.filter(runsAgent);
  if (own.length === 0) return '';
  const waiting = own.filter(({ notReady }) => notReady?.waitsFor === 'network').length;
  const others = own.filter(({ notReady }) => notReady?.waitsFor === 'other');
  const [first] = others;
  const connecting = installation.otherNetworks.filter(({ connects }) => connects !== false);
  const products = [...new Set(connecting.flatMap(({ product }) => product ?? []))];
  return [
    connected(products, { waiting, ready: own.length - waiting - others.length, all: own.length }),
    ...(first === undefined
      ? []
      : [
          `${inList(others.map(({ name }) => name))} ${others.length === 1 ? 'is' : 'are'} NotReady for another reason${others.length === 1 ? '' : `, ${first.name}`}: ${sentence(first.notReady?.because ?? '')}`,
        ]),
  ].join(' ');
}

type Counted = { waiting: number; ready: number; all: number };

function connected(products: readonly string[], { waiting, ready, all }: Counted): string {
  const network = `${inList(products)} ${products.length === 1 ? 'connects' : 'connect'} its pods`;
  if (waiting > 0) {
    const wait = `${share(waiting, all)} NotReady for want of a network, and pods wait there.`;
    return products.length === 0 ? capital(wait) : `${network}, and yet ${wait}`;
  }
  if (products.length > 0) return `${network}.`;
  return ready > 0
    ? 'Its nodes are Ready, so a pod network exists, but not one that Signalbox recognises.'
    : 'No node is Ready, and none reports that it lacks a network: the pod network is not verified.';
}

function share(some: number, all: number): string {
  if (all === 1) return 'its node is';
  if (some === all) return `all ${counted(all, 'node')} are`;
  return `${thousands(some)} of ${counted(all, 'node')} ${some === 1 ? 'is' : 'are'}`;
}
