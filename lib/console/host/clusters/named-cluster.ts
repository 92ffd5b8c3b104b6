import { z } from 'zod';
import type { Slug } from '../../host.ts';
import { clusterSlug } from './cluster-slug.ts';

const whereSchema = z.strictObject({ kind: z.enum(['kubeconfig', 'in-cluster', 'sandbox']), name: z.string() });
export type NamedCluster = z.infer<typeof whereSchema> & { slug: Slug };

/** Parses the cluster that the command line names, `{ kind, name }` as in ClusterEntry; null if it names none. */
export function namedCluster(where: unknown): NamedCluster | null {
  const { success, data } = whereSchema.safeParse(where);
  return success ? { ...data, slug: clusterSlug(data.kind, data.name) } : null;
}
