import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { calicoFile, type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { eventually } from './testing/eventually.ts';
import { mustSignalbox, signalbox, type Workplace } from './testing/signalbox-process.ts';

/** `get`, `label`, `patch` and `delete` on a real API server: where Calico stores its objects, and where that server keeps `projectcalico.org/v3` itself. */
let plane: Plane;
let kube: LiveKube;
let workplace: Workplace;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'bare', nodes: 0 });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  const cwd = mkdtempSync(join(tmpdir(), 'signalbox-objects-'));
  workplace = { kubeconfig: plane.kubeconfig, stateHome: join(cwd, 'state'), cwd };
  mkdirSync(workplace.stateHome);
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
  if (workplace) rmSync(workplace.cwd, { recursive: true, force: true });
});

const group = 'crd.projectcalico.org';
const kinds = ['networkpolicies', 'ippools', 'tiers'];

/** Calico's own definitions. `native`: with the group and version under which releases from v3.32 on can keep the same schemas. */
async function define(native: boolean): Promise<void> {
  for (const document of parseAllDocuments(await calicoFile('v3.31.4', 'operator-crds.yaml'))) {
    const one = document.toJS();
    if (one?.spec?.group !== group || !kinds.includes(one.spec.names.plural)) continue;
    const { plural } = one.spec.names;
    const named = native ? 'projectcalico.org' : group;
    const versions = one.spec.versions.map((version: object) => (native ? { ...version, name: 'v3' } : version));
    await plane.api.apply({
      ...one,
      metadata: { name: `${plural}.${named}` },
      spec: { ...one.spec, group: named, versions },
    });
    const path = `/apis/${named}/${native ? 'v3' : 'v1'}/${plural}`;
    await eventually(`${plural} of ${named} to be served`, () =>
      plane.api.list(path).then(
        () => true,
        () => false,
      ),
    );
  }
}

const printed = async (...args: string[]) => (await mustSignalbox(workplace, args)).out.trim();

test('what is stored is shown and changed as Calico’s API would, and what the API server keeps of v3 itself as it is', async () => {
  await define(false);
  await kube.create(resources.calicoNetworkPolicies, {
    apiVersion: `${group}/v1`,
    kind: 'NetworkPolicy',
    metadata: { name: 'default.web', namespace: 'default' },
    spec: { tier: 'default', selector: "app == 'web'", types: ['Ingress'] },
  });
  expect(await printed('get', 'caliconetworkpolicies', '-o', 'name')).toBe('networkpolicy.projectcalico.org/web');
  expect(await printed('label', 'cnp', 'web', 'team=shop', '--yes')).toBe(
    'networkpolicy.projectcalico.org/web labeled',
  );
  const ref = { resource: resources.calicoNetworkPolicies, namespace: 'default', name: 'default.web' };
  expect((await kube.get(ref))?.metadata.labels).toMatchObject({ team: 'shop' });

  // The same cluster once it keeps v3 itself: nothing that is stored elsewhere counts any more.
  await define(true);
  expect(await printed('get', 'cnp', '-o', 'name')).toBe('');
  const web = {
    apiVersion: 'projectcalico.org/v3',
    kind: 'NetworkPolicy',
    metadata: { name: 'web', namespace: 'default' },
    spec: { tier: 'default', selector: "app == 'web'", types: ['Ingress'] },
  };
  await plane.api.apply(web);
  await plane.api.apply({ ...web, metadata: { ...web.metadata, name: 'default.db' } });
  // Names stay as they are: no prefix is added or removed.
  expect(await printed('get', 'cnp', '-o', 'name')).toBe(
    'networkpolicy.projectcalico.org/default.db\nnetworkpolicy.projectcalico.org/web',
  );
  expect(JSON.parse(await printed('get', 'cnp', 'web', '-o', 'json'))).toMatchObject(web);
  expect(await signalbox(workplace, ['get', 'cnp', 'db'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('"db" not found'),
  });

  const patched = await mustSignalbox(workplace, ['patch', 'cnp', 'web', '-p', '{"spec":{"order":7}}', '--yes']);
  expect(patched.out.trim()).toBe('networkpolicy.projectcalico.org/web patched');
  // The server has validated it.
  expect(patched.err).not.toContain('does not answer');
  expect(await printed('label', 'cnp', 'web', 'team=shop', '--yes')).toBe(
    'networkpolicy.projectcalico.org/web labeled',
  );
  expect(JSON.parse(await printed('get', 'cnp', '-l', 'team=shop', '-o', 'json')).items).toMatchObject([
    { metadata: { name: 'web', labels: { team: 'shop' } }, spec: { order: 7 } },
  ]);
  const refused = await signalbox(workplace, ['patch', 'cnp', 'web', '-p', '{"spec":{"order":"first"}}', '--yes']);
  expect(refused).toMatchObject({ err: expect.stringMatching(/spec\.order.*(number|string)/) });
  expect(refused.code).not.toBe(0);

  expect(await printed('delete', 'cnp', 'web', '--yes')).toBe('networkpolicy.projectcalico.org "web" deleted');
  expect(await printed('get', 'cnp', '-o', 'name')).toBe('networkpolicy.projectcalico.org/default.db');
  // The leftover of the former datastore is not touched.
  expect(await kube.get(ref)).not.toBeNull();
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});
