import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { calicoFile, type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { names, resourceOf, resources } from '#lib/spec/index.ts';
import { comesBackTo } from '../testing/comes-back.ts';
import { contentsOf } from '../testing/contents.ts';
import { eventually } from '../testing/eventually.ts';
import { installManifest, rolledOut } from '../testing/manifest-install.ts';
import { nodeVersions } from '../testing/node-versions.ts';
import { mustSignalbox, startSignalbox, type Workplace } from '../testing/signalbox-process.ts';

/** Calico's other manifests, each to the next release and back on a real API server, with a change by hand that stays. */
let plane: Plane;
let kube: LiveKube;
let folder: string;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes: 1, like: 'v3.30.7' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  folder = mkdtempSync(join(tmpdir(), 'signalbox-flavours-'));
});

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const files = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'upgrade.registry-moved', 'not-measured'];
/** Checks of objects that are in etcd, which is not read without its certificates. */
const notRead = ['node.mixed-dataplane', 'network.offload', 'upgrade.host-endpoints', 'upgrade.allow-all-upgrade'];
const etcd = 'https://10.0.0.5:2379';

type Flavour = {
  file: string;
  from: string;
  agents: string;
  config: string;
  edited?: (text: string) => string;
};

/** Flavours that were first published with v3.31 have no file of the release before, so its images are put into the same file. */
const played = (text: string) => text.replaceAll(':v3.31.4', ':v3.31.3');
const calico = { agents: 'calico-node', config: 'calico-config' };
const canal = { config: 'canal-config' };
const byHand = '9000';

const flavours: readonly Flavour[] = [
  { file: 'canal.yaml', from: 'v3.30.7', agents: 'canal', ...canal },
  { file: 'calico-policy-only.yaml', from: 'v3.30.7', ...calico },
  {
    file: 'canal-etcd.yaml',
    from: 'v3.27.5',
    agents: 'canal-node',
    ...canal,
    edited: (text) => text.replace('http://<ETCD_IP>:<ETCD_PORT>', etcd),
  },
  { file: 'calico-vxlan.yaml', from: 'v3.31.3', ...calico, edited: played },
  { file: 'calico-typha.yaml', from: 'v3.31.3', ...calico, edited: played },
  { file: 'calico-bpf.yaml', from: 'v3.31.3', ...calico, edited: played },
];

test.each(flavours)(
  '$file of $from to v3.31.4 and back: what was changed by hand stays, and every object comes back',
  async ({ file, from, agents, config, edited = (text) => text }) => {
    const ofFile = from === 'v3.31.3' ? 'v3.31.4' : from;
    onTestFinished(() => removed(ofFile, file));
    await installManifest(kube, ofFile, file, edited);
    const settings = { resource: resources.configMaps, namespace: names.systemNamespace, name: config };
    await kube.patch(settings, { type: 'merge', body: { data: { mine: byHand } } }, { fieldManager: 'kubectl-edit' });
    await eventually('the agents to run', () => rolledOut(kube, 1, agents));
    const before = await contentsOf(kube);
    const workplace: Workplace = { kubeconfig: plane.kubeconfig, stateHome: join(folder, file), cwd: folder };
    mkdirSync(workplace.stateHome);

    const planned = await mustSignalbox(
      workplace,
      [
        ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--out', 'plan.json', '--keep', 'all'],
        ...[...accepted, ...(file === 'canal-etcd.yaml' ? notRead : [])].flatMap((id) => [
          '--acknowledge',
          `${id}=tried in a test`,
        ]),
      ],
      files,
    );
    expect(planned.out).toContain('Ready to apply.');
    const run = startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], files);
    expect(await run.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
    expect(nodeVersions(run)).toEqual(['v3.31.4']);
    expect((await kube.get(settings))?.data).toMatchObject({
      mine: byHand,
      ...(file === 'canal-etcd.yaml' ? { etcd_endpoints: etcd } : {}),
    });

    const back = startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], files);
    expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
    expect(nodeVersions(back)).toEqual([from]);
    await eventually('the agents to run', () => rolledOut(kube, 1, agents));
    await comesBackTo(before, () => contentsOf(kube));
    expect(unexpectedDials(plane.egressLog())).toEqual([]);
  },
);

/** Deletes the objects of a manifest, except its CRDs, which are no longer read. */
async function removed(version: string, file: string): Promise<void> {
  for (const document of parseAllDocuments(await calicoFile(version, file))) {
    const { apiVersion = '', kind = '', metadata } = document.toJS() ?? {};
    const resource = resourceOf(apiVersion, kind);
    if (!resource || kind === 'CustomResourceDefinition') continue;
    const { name, namespace } = metadata;
    const ref = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
    if (await kube.get(ref)) await kube.delete(ref);
  }
}
