import type { Act } from '../schema/act.ts';

/** Replaces a diff of megabytes: one line for each object of a file that would be created or changed, with the marks of a diff. */
export function fileSummary(
  { manifest, targets }: Extract<Act, { kind: 'apply-manifest' }>,
  { fresh, changed }: { fresh: readonly string[]; changed: readonly string[] },
): string {
  if (fresh.length + changed.length === 0) return '';
  const same = targets.length - fresh.length - changed.length;
  const kind = targets[0]?.resource.kind ?? 'object';
  return [
    `--- /dev/null`,
    `+++ ${manifest.file} of ${manifest.version}`,
    `@@ ${fresh.length} new, ${changed.length} changed, ${same} as they are @@`,
    ...fresh.map((name) => `+${kind}/${name}`),
    ...changed.map((name) => `~${kind}/${name}`),
    '',
  ].join('\n');
}
