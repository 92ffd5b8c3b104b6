import { createHash } from 'node:crypto';
import type { ClusterEntry, Slug } from '../../host.ts';

const readableLength = 40;

/** The name of a cluster in URLs: readable, and unique by its hash. Context names may contain `/` and `:`; they are data, never a path. */
export function clusterSlug(kind: ClusterEntry['kind'], name: string): Slug {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, readableLength)
    .replace(/^-+|-+$/g, '');
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, name]))
    .digest('hex')
    .slice(0, 8);
  return `${readable || 'cluster'}-${hash}`;
}
