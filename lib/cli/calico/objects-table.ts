import { canonicalJson } from '#lib/base/records.ts';
import type { CalicoKind } from '#lib/calico-api/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { columns } from '../terminal/terminal.ts';

/** `hostendpoint.projectcalico.org/worker-1`: the form of `-o name` and of kubectl's words for a write. */
export function objectName({ singular, shown }: CalicoKind, name: string): string {
  return `${singular}.${shown.group}/${visibleLine(name)}`;
}

export type TableOptions = {
  readonly withNamespace: boolean;
  /** Names have their kind, because more than one kind is shown. */
  readonly withKind: boolean;
  readonly withLabels: boolean;
  readonly headers: boolean;
};

/** The table of Calico's API server: name and creation time (its default convertor); with -A first the namespace. */
export function objectsTable(kind: CalicoKind, objects: readonly KubeObject[], options: TableOptions): string {
  const header = [
    ...(options.withNamespace ? ['NAMESPACE'] : []),
    'NAME',
    'CREATED AT',
    ...(options.withLabels ? ['LABELS'] : []),
  ];
  const rows = objects.map(({ metadata: { name = '', namespace = '', creationTimestamp, labels } }) => [
    ...(options.withNamespace ? [visibleLine(namespace)] : []),
    options.withKind ? objectName(kind, name) : visibleLine(name),
    visibleLine(creationTimestamp ?? '<unknown>'),
    ...(options.withLabels ? [labelsText(labels)] : []),
  ]);
  return columns((options.headers ? [header, ...rows] : rows).map(asKubectlPads));
}

/** Three spaces between columns (k8s.io/cli-runtime, printers/tabwriter.go; read 2026-11-26). */
const asKubectlPads = (row: readonly string[]) =>
  row.map((cell, index) => (index < row.length - 1 ? `${cell} ` : cell));

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return texts.length === 0 ? '<none>' : visibleLine(texts.sort().join(','));
}

/** An object as kubectl prints it: with sorted keys, without managedFields. */
export function asKubectlPrints(object: KubeObject): unknown {
  const { managedFields: _managed, ...metadata } = object.metadata;
  return JSON.parse(canonicalJson({ ...object, metadata }));
}

/** Several objects as a List. */
export function printedList(objects: readonly KubeObject[]): unknown {
  return { apiVersion: 'v1', items: objects.map(asKubectlPrints), kind: 'List', metadata: { resourceVersion: '' } };
}
