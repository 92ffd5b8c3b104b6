import { type ReleaseContents, verificationNotice } from '#lib/spec/index.ts';
import type { Plan } from '../plan.ts';

/** What a plan says about its release files; nothing if none of them was published. */
export function plannedRelease(release: ReleaseContents | null): Pick<Plan, 'release'> {
  if (release === null) return {};
  const { version, operator, source, manifests } = release;
  const files = Object.values(manifests).flatMap(({ file, sha256, standing }) =>
    standing === undefined ? [] : [{ file, sha256, standing }],
  );
  if (files.every(({ standing }) => standing === 'own')) return {};
  return { release: { version, operator, source, files, notice: verificationNotice(version, files) } };
}
