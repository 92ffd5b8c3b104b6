import { platformGuides } from '#lib/spec/index.ts';
import { blocks, table } from './markdown.ts';
import { markdownOf } from './reference-table.ts';
import {
  cloudTable,
  endpointTable,
  otherNetworkTable,
  platformTable,
  providerText,
  signTable,
} from './tables/platforms.ts';

export function platformsPage(): string {
  return blocks(
    'How a platform is recognised, where its API server is reached, and what becomes of its service proxy.',
    table(
      ['Platform', 'eBPF mode', 'API endpoint', 'Provider'],
      platformGuides.map((row) => [
        row.title,
        row.ebpf,
        `${row.endpoint.host}, port ${row.endpoint.port}`,
        providerText(row),
      ]),
    ),
    markdownOf(platformTable()),
    ...[signTable(), endpointTable(), cloudTable(), otherNetworkTable()].map((part) =>
      blocks(`## ${part.title}`, markdownOf(part)),
    ),
  );
}
