import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ensureHelm, type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { type HelmAct, runHelm } from '#lib/run/testing/helm-act.ts';
import { resources } from '#lib/spec/index.ts';
import { eventually } from '../testing/eventually.ts';

/** What real Helms do with a kind that the next chart lacks, and that a run does not let them. */
let plane: Plane;
let kube: LiveKube;
let folder: string;
let folders: { helm3: string; helm4: string };

beforeAll(async () => {
  folders = { helm3: await ensureHelm('helm3'), helm4: await ensureHelm('helm4') };
  plane = await startControlPlane({ kind: 'bare', nodes: 0 });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  folder = mkdtempSync(join(tmpdir(), 'signalbox-helm-kinds-'));
}, 900_000);

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await kube?.close();
  await plane?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const chartName = 'crd.projectcalico.org.v1';

const definition = (plural: string, group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural, kind: plural },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** A chart of these kinds; gives its folder. */
function chart(version: string, group: string, plurals: readonly string[]): string {
  const path = join(folder, `${group}-${version}`);
  mkdirSync(join(path, 'templates'), { recursive: true });
  writeFileSync(join(path, 'Chart.yaml'), JSON.stringify({ apiVersion: 'v2', name: chartName, version }));
  const kinds = plurals.map((plural) => JSON.stringify(definition(plural, group)));
  writeFileSync(join(path, 'templates', 'crds.yaml'), kinds.join('\n---\n'));
  return path;
}

test.each(['helm3', 'helm4'] as const)(
  '%s is not let delete a kind with its objects',
  async (which) => {
    const group = `${which}.example.com`;
    const [release, namespace] = [`kinds-${which}`, 'default'];
    vi.stubEnv('PATH', `${folders[which]}:${process.env.PATH}`);
    vi.stubEnv('HELM_CACHE_HOME', join(folder, 'cache'));
    const helm = (...words: string[]) =>
      execFileSync('helm', [...words, '--namespace', namespace, '--kubeconfig', plane.kubeconfig], {
        encoding: 'utf8',
      });
    const revision = () => JSON.parse(helm('history', release, '-o', 'json')).length;
    const upgrade = (version: string, plurals: readonly string[]): HelmAct => ({
      ...{ kind: 'helm', verb: 'upgrade', release, namespace, chart: chart(version, group, plurals), version },
      ...{ set: {}, values: 'reset-then-reuse', holds: chartName },
    });
    const there = (plural: string) =>
      kube.get({ resource: resources.customResourceDefinitions, name: `${plural}.${group}` });
    const object = (plural: string) => ({
      resource: { group, version: 'v1', kind: plural, plural, namespaced: false },
      name: 'of-somebody',
    });
    const write = async (plural: string) => {
      const { resource, name } = object(plural);
      await eventually(`${plural} to be served`, () =>
        kube
          .apply(
            resource,
            { apiVersion: `${group}/v1`, kind: plural, metadata: { name } },
            { fieldManager: 'somebody', force: true },
          )
          .then(
            () => true,
            () => false,
          ),
      );
    };

    helm('install', release, chart('1.0.0', group, ['roads', 'rails']));
    await write('rails');
    const without = upgrade('1.0.1', ['roads']);
    for (const mode of ['dry-run', 'act'] as const)
      await expect(runHelm(kube, without, mode)).rejects.toThrow(
        new RegExp(`holds 1 kind that the chart .* 1\\.0\\.1 lacks: rails\\.${group}\\..*Nothing was sent`),
      );
    expect(revision()).toBe(1);
    expect(await kube.get(object('rails'))).not.toBeNull();

    // As the error advises. Then the kind no longer belongs to the release, and Helm keeps it.
    await kube.patch(
      { resource: resources.customResourceDefinitions, name: `rails.${group}` },
      { type: 'merge', body: { metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } } },
    );
    for (const mode of ['dry-run', 'act'] as const) await runHelm(kube, without, mode);
    expect(revision()).toBe(2);
    expect(await kube.get(object('rails'))).not.toBeNull();

    await runHelm(kube, upgrade('1.0.2', ['roads', 'ferries']), 'act');
    await write('ferries');
    const back: HelmAct = { kind: 'helm', verb: 'rollback', release, namespace, revision: 2 };
    await expect(runHelm(kube, back, 'act')).rejects.toThrow(
      new RegExp(`has no ferries\\.${group}, so that going back deletes this kind.*ferries of-somebody`),
    );
    expect(revision()).toBe(3);
    await kube.delete(object('ferries'));
    await runHelm(kube, back, 'act');
    await eventually('the kind to go', async () => (await there('ferries')) === null);
    expect(await there('roads')).not.toBeNull();
  },
  240_000,
);
