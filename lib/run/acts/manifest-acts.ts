import { messageOf } from '#lib/base/message-of.ts';
import { withStop } from '#lib/base/words.ts';
import { isKubeError } from '#lib/kube/index.ts';
import type { Act } from '#lib/plan/index.ts';
import { type Choices, type Manifest, type ManifestRef, objectId, resourceOf } from '#lib/spec/index.ts';

/**
 * Opens the very file that a plan names by its checksum. `choices`: the plan’s, which name the source. Rejects with an Error whose sentence says what
 * is missing and what to do.
 */
export type Manifests = (ref: ManifestRef, options: { choices: Choices; signal: AbortSignal }) => Promise<Manifest>;

export type ApplyAct = Extract<Act, { kind: 'apply' }>;
type ApplyManifest = Extract<Act, { kind: 'apply-manifest' }>;

/** A release file is not available here. The run pauses; another console or another source can carry it on. */
export class ManifestMissing extends Error {
  override name = 'ManifestMissing';
}

/** The acts for the objects of a file, in the plan's order. Throws ManifestMissing. */
export async function actsOfManifest(
  act: ApplyManifest,
  manifests: Manifests | undefined,
  options: { choices: Choices; signal: AbortSignal },
): Promise<ApplyAct[]> {
  const manifest = await fetched(act.manifest, manifests, options);
  const byId = new Map(
    manifest.objects.flatMap((object) => {
      const resource = resourceOf(object.apiVersion, object.kind);
      if (resource === null) return [];
      const { name, namespace } = object.metadata;
      return [[objectId({ resource, name, ...(namespace === undefined ? {} : { namespace }) }), object] as const];
    }),
  );
  return act.targets.map((target) => {
    const object = byId.get(objectId(target));
    if (!object) throw missing(act.manifest, `it holds no ${objectId(target)}`);
    return { kind: 'apply', target, body: { ...object }, force: act.force };
  });
}

async function fetched(
  ref: ManifestRef,
  manifests: Manifests | undefined,
  options: { choices: Choices; signal: AbortSignal },
): Promise<Manifest> {
  if (!manifests) throw missing(ref, 'this process was given no source of release files');
  let manifest: Manifest;
  try {
    manifest = await manifests(ref, options);
  } catch (error) {
    if (isKubeError(error) || options.signal.aborted) throw error;
    throw missing(ref, messageOf(error), error);
  }
  if (manifest.sha256 !== ref.sha256) throw missing(ref, `the file that was found has sha256 ${manifest.sha256}`);
  return manifest;
}

function missing({ version, file, sha256 }: ManifestRef, because: string, cause?: unknown): ManifestMissing {
  return new ManifestMissing(
    `${file} of Calico ${version} is not available here: ${withStop(because)} Put the same file (sha256 ${sha256}) where it was when the plan was made, or continue the run on the machine that has it.`,
    { cause },
  );
}
