import { blocks } from './markdown.ts';
import { markdownOf } from './reference-table.ts';
import {
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
    'The agent falls back to the standard data plane, silently and node by node, where the kernel is too old. These rules come before all others.',
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
