import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, instantClock, openDump } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { leaseRef, leaseTimes } from '../engine/lease.ts';
import { ownIdentity } from '../state-folder/identity.ts';
import { leaseHolderOf, otherHolder } from './lease-holder.ts';

const signal = new AbortController().signal;

/** A Lease that another installation on this machine holds, by a process that runs: this one. */
async function heldHere() {
  const clock = instantClock();
  const kube = createStore({ name: 'test', source: 'sandbox', clock });
  const folder = testFolder('lease');
  const { process } = await ownIdentity(folder);
  const journalNamespaces = [names.systemNamespace] as const;
  const [namespace] = journalNamespaces;
  const { resource, name } = leaseRef(namespace);
  const spec = { holderIdentity: `another/${process}`, renewTime: new Date(clock.now()).toISOString() };
  await kube.create(resource, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace },
    spec,
  });
  return { kube, clock, journalNamespaces, identity: { install: 'this', process: 'one' }, signal };
}

test('a process of this machine holds a run as long as it renews: one that hangs does not', async () => {
  const context = await heldHere();
  const { kube, clock, journalNamespaces } = context;
  expect(await otherHolder(context)).toMatch(/^another\//);
  expect(await leaseHolderOf(kube, clock, journalNamespaces)).toMatchObject({ alive: true });
  await context.clock.sleep(leaseTimes.durationMs, signal);
  expect(await otherHolder(context)).toBeNull();
  expect(await leaseHolderOf(kube, clock, journalNamespaces)).toMatchObject({ alive: false });
});

test('a dump without Leases does not say that nobody carries runs', async () => {
  const folder = testFolder('dump');
  writeFileSync(join(folder, 'nodes.yaml'), 'apiVersion: v1\nkind: NodeList\nitems: []\n');
  const asked = leaseHolderOf(await openDump([folder]), instantClock(), [names.systemNamespace]);
  await expect(asked).rejects.toMatchObject({ code: 'not-served' });
});
