import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { type ManifestObject, resourceOf } from '#lib/spec/index.ts';
import { kubeProxyConfigMap } from '../objects/object-refs.ts';
import { aCluster, choose } from '../testing/a-cluster.ts';
import { aRelease } from '../testing/a-release.ts';
import { actCommand } from './act-command.ts';

let folder = '';
beforeEach(() => {
  folder = testFolder('act-command');
});

const definition = (name: string): ManifestObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
});
const [felix, pools, bgp] = ['felixconfigurations', 'ippools', 'bgppeers'].map((plural) =>
  definition(`${plural}.crd.projectcalico.org`),
) as [ManifestObject, ManifestObject, ManifestObject];
const operator: ManifestObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
};

/** As files of releases are written, with the names of versions and printed columns below. */
const asYaml = ({ apiVersion, kind, metadata: { name } }: ManifestObject) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  annotations:\n    of: a test\n  name: ${name}\nspec:\n  names:\n    plural: x\n  versions:\n  - name: v1\n    names: y\n`;

/** The names of the objects that the command applies, in order. */
function applied(file: string, objects: readonly ManifestObject[], wanted: readonly ManifestObject[]): string[] {
  const text = `---\n${objects.map(asYaml).join('---\n')}`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const version = 'v3.27.5';
  const release = { ...aRelease(version, 'v1.32.12'), manifests: { [file]: { version, file, sha256, objects } } };
  const facts = aCluster();
  const context = { facts, choices: choose(), before: facts.resources.objects, release: null, running: release };
  const targets = wanted.flatMap(({ apiVersion, kind, metadata: { name } }) => {
    const resource = resourceOf(apiVersion, kind);
    return resource === null ? [] : [{ resource, name }];
  });
  const act = { kind: 'apply-manifest', manifest: { version, file, sha256 }, targets, force: true } as const;
  writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, 'kubectl'), '#!/bin/sh\nfor last in "$@"; do :; done\ncat "$last"\n');
  chmodSync(join(folder, 'kubectl'), 0o755);
  const { stdout, stderr, status } = spawnSync('sh', ['-c', `set -eu\n${actCommand(act, context, 60)}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  expect([status, stderr]).toEqual([0, '']);
  return [...stdout.matchAll(/^ {2}name: (\S+)$/gm)].map(([, name = '']) => name);
}

test.each([
  ['a file of kinds alone', 'operator-crds.yaml', [felix, pools, bgp], [felix, pools, bgp]],
  ['some kinds of it', 'operator-crds.yaml', [felix, pools, bgp], [felix, bgp]],
  ['kinds beside the operator', 'tigera-operator.yaml', [felix, pools, bgp, operator], [felix, pools, bgp]],
  ['some kinds beside the operator', 'tigera-operator.yaml', [felix, pools, bgp, operator], [pools]],
  ['OpenShift’s file for upgrades', 'tigera-operator-ocp-upgrade.yaml', [operator, felix, pools], [felix, pools]],
  ['kinds beside the agents', 'calico.yaml', [operator, felix], [felix]],
])('a file is applied as far as the act names its objects: %s', (_title, file, objects, wanted) => {
  expect(applied(file, objects, wanted)).toEqual(wanted.map(({ metadata }) => metadata.name));
});

test('to delete what is gone already is no error, as in a run', () => {
  const facts = aCluster();
  const context = { facts, choices: choose(), before: facts.resources.objects, release: null, running: null };
  const act = { kind: 'delete', target: kubeProxyConfigMap, propagation: 'Background' } as const;
  expect(actCommand(act, context, 60)).toBe(
    'kubectl delete configmaps/kube-proxy -n kube-system --ignore-not-found --cascade=background',
  );
});
