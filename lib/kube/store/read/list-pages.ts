import { KubeError } from '../../error.ts';
import type { KubeObject } from '../../object.ts';
import type { Page } from '../../port.ts';

/** All objects that a list matches, as of one revision. */
export type Reading = { objects: readonly KubeObject[]; revision: number };

/**
 * The pages of a list. All are of one reading; if that expires (410), the list starts over once and gives only objects that it has not given yet
 * (port.ts › Kube.list). `ask` is called for each page, with the reading to continue or null for a new one. Throws `invalid` for a page size below 1, with
 * which the list would not end.
 */
export async function* listPages<T>(
  ask: (reading: Reading | null) => Promise<Reading>,
  pageSize: number,
  shape: (object: KubeObject) => T,
): AsyncGenerator<Page<T>> {
  if (!(pageSize >= 1)) throw new KubeError('invalid', `pageSize: ${pageSize}; 1 or more is needed`);
  /** UIDs of the objects given before the list started over; null: it has not. */
  let given: ReadonlySet<KubeObject['metadata']['uid']> | null = null;
  let reading: Reading | null = null;
  let offset = 0;
  for (;;) {
    try {
      reading = await ask(reading);
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'expired' || given || !reading) throw error;
      given = new Set(reading.objects.slice(0, offset).map(({ metadata }) => metadata.uid));
      reading = null;
      offset = 0;
      continue;
    }
    const slice = reading.objects.slice(offset, offset + pageSize);
    offset += slice.length;
    const left = reading.objects.length - offset;
    const known = given;
    const fresh = known ? slice.filter(({ metadata }) => !known.has(metadata.uid)) : slice;
    const page = {
      items: fresh.map(shape),
      resourceVersion: String(reading.revision),
      remaining: left > 0 ? left : null,
    };
    if (page.items.length > 0 || left === 0) yield page;
    if (left === 0) return;
  }
}
