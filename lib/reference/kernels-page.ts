import { blocks } from './markdown.ts';
import { markdownOf } from './reference-table.ts';
import {
  aboutKernels,
  advisedTable,
  bpfFeatureTable,
  distributionTable,
  flavourTable,
  immutableTable,
  kernelTable,
  systemTable,
} from './tables/kernels.ts';

export function kernelsPage(): string {
  return blocks(
    aboutKernels,
    ...[
      kernelTable(),
      distributionTable(),
      advisedTable(),
      bpfFeatureTable(),
      flavourTable(),
      immutableTable(),
      systemTable(),
    ].map((part) => blocks(`## ${part.title}`, markdownOf(part))),
  );
}
