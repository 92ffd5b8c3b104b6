import { blocks } from './markdown.ts';
import { markdownOf } from './reference-table.ts';
import {
  enterpriseTable,
  imageListTable,
  imageUseTable,
  kubernetesTable,
  operatorTable,
  registryTable,
  releaseTable,
} from './tables/releases.ts';

export function releasesPage(): string {
  return blocks(
    'Releases of Calico, the operator that installs each, and the Kubernetes versions it is tested with. What goes wrong in which: [gates](gates.md).',
    markdownOf(releaseTable()),
    ...[operatorTable(), enterpriseTable(), kubernetesTable(), registryTable(), imageListTable(), imageUseTable()].map(
      (part) => blocks(`## ${part.title}`, markdownOf(part, '###')),
    ),
  );
}
