import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { sandboxRelease } from '#lib/sandbox/index.ts';
import { definitionOf } from '#lib/sandbox/parts.ts';
import { type ManifestObject, resources } from '#lib/spec/index.ts';

/**
 * Files in place of Calico Enterprise's, of which only names of kinds, versions and operators are public: Calico's own files with the
 * operator version of Enterprise v3.22.2, and two made-up definitions under names of Enterprise's kinds.
 */
export const enterprise = 'v3.22.2';

export const madeUp = (kind: string, plural: string): ManifestObject => {
  const { status: _, ...definition } = definitionOf({ ...resources.installations, kind, plural });
  return definition as ManifestObject;
};

const asked = (kind: string, name: string, spec: object = {}): ManifestObject => ({
  apiVersion: 'operator.tigera.io/v1',
  kind,
  metadata: { name },
  spec,
});

export const ownResources = [
  asked('Installation', 'default', {
    variant: 'TigeraSecureEnterprise',
    imagePullSecrets: [{ name: 'tigera-pull-secret' }],
  }),
  asked('APIServer', 'default'),
  asked('LogStorage', 'tigera-secure', { nodes: { count: 1 } }),
  asked('Manager', 'tigera-secure'),
];
export const text = (objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');

/** Writes the release into `folder`; `kinds`: which of Enterprise’s kinds its definitions have. */
export async function writeEnterprise(folder: string, kinds: readonly ManifestObject[]): Promise<void> {
  const { manifests } = sandboxRelease('v3.31.3');
  const objectsOf = (file: string) => manifests[file]?.objects ?? [];
  const operator = text(objectsOf('tigera-operator.yaml')).replaceAll(/operator:v1\.40\.\d+/g, 'operator:v1.40.6');
  const files = {
    'operator-crds.yaml': text([...objectsOf('operator-crds.yaml'), ...kinds]),
    'tigera-operator.yaml': operator,
    'custom-resources.yaml': text(ownResources),
  };
  await mkdir(join(folder, enterprise));
  for (const [file, written] of Object.entries(files)) await writeFile(join(folder, enterprise, file), written);
}
