import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { calicoFile } from '#e2e/controlplane/index.ts';

/**
 * Writes a chart like the published one, as far as it matters for an upgrade (calico.md §1.3), from the release's public files: CRDs in `crds/`, the operator
 * with its image from the values, and an Installation with the values below `installation`. `played`: uses the files of another release, with the operator
 * of this one. Returns the chart's folder.
 */
export async function operatorChart(
  folder: string,
  version: string,
  played: { files: string; operator?: string; kinds?: 'apart' } = { files: version },
): Promise<string> {
  const chart = join(folder, `tigera-operator-${version}`);
  for (const one of ['crds', 'templates']) mkdirSync(join(chart, one), { recursive: true });
  const manifest = parseAllDocuments(await calicoFile(played.files, 'tigera-operator.yaml'))
    .map((document) => document.toJSON())
    .filter((object) => object !== null && object.kind !== 'Namespace');
  const deployment = manifest.find(({ kind }) => kind === 'Deployment');
  const image: string = deployment.spec.template.spec.containers[0].image;
  const [, registry = '', name = '', tag = ''] = /^([^/]+)\/(.+):(.+)$/.exec(image) ?? [];
  const operator = manifest
    .map((object) => stringify(object))
    .join('---\n')
    .replace(
      image,
      '{{ .Values.tigeraOperator.registry }}/{{ .Values.tigeraOperator.image }}:{{ .Values.tigeraOperator.version }}',
    );
  const isMoved = version >= 'v3.31';
  const installation = `{{- if .Values.installation.enabled }}
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
{{ omit .Values.installation "enabled" "kubeletVolumePluginPath" | toYaml | indent 2 }}
  kubeletVolumePluginPath: {{ .Values.${isMoved ? 'installation.' : ''}kubeletVolumePluginPath }}
{{- end }}
`;
  const volume = { kubeletVolumePluginPath: 'None' };
  const values = {
    installation: { enabled: true, kubernetesProvider: '', ...(isMoved ? volume : {}) },
    ...(isMoved ? {} : volume),
    tigeraOperator: { registry, image: name, version: played.operator ?? tag },
  };
  const files = {
    'Chart.yaml': stringify({ apiVersion: 'v2', name: 'tigera-operator', version, appVersion: version }),
    'values.yaml': stringify(values),
    'crds/operator-crds.yaml': await calicoFile(played.files, 'operator-crds.yaml'),
    'templates/operator.yaml': operator,
    'templates/installation.yaml': installation,
  };
  if (played.kinds === 'apart') rmSync(join(chart, 'crds'), { recursive: true });
  for (const [file, text] of Object.entries(files))
    if (played.kinds !== 'apart' || !file.startsWith('crds/')) writeFileSync(join(chart, file), text);
  return chart;
}

/** The chart that has nothing but the kinds, beside which the operator's has none (`kinds: 'apart'`), as from v3.32 on. Gives its folder. */
export async function definitionsChart(folder: string, version: string): Promise<string> {
  const name = 'crd.projectcalico.org.v1';
  const chart = join(folder, `${name}-${version}`);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), stringify({ apiVersion: 'v2', name, version }));
  // Descriptions in them hold what a template would take for its own.
  const kinds = (await calicoFile(version, 'operator-crds.yaml')).replaceAll('{{', '{{ "{{" }}');
  writeFileSync(join(chart, 'templates', 'crds.yaml'), kinds);
  return chart;
}
