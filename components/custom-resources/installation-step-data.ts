import type { Assessment, Draft } from '#lib/console/host.ts';
import type { InstallationStepData } from '#lib/console/wizard/index.ts';
import {
  chosenInstallation,
  type InstallationBasis,
  imagePartsOf,
  installationContextOf,
  installationProblems,
  installationSpec,
  proposedInstallation,
  writeDocument,
} from '#lib/installation/index.ts';
import { type ManifestObject, planImages } from '#lib/spec/index.ts';

/** Data of the custom resources step, computed on the server. */
export function installationStepData(
  { answers }: Pick<Draft, 'answers'>,
  { facts, contents }: Pick<Assessment, 'facts' | 'contents'>,
): InstallationStepData {
  const basis: InstallationBasis = { facts, choices: answers, release: contents };
  const { spec, reasons } = proposedInstallation(basis);
  const { schema, ...around } = installationContextOf(basis);
  const chosen = chosenInstallation(basis);
  return {
    proposal: writeDocument(spec),
    reasons,
    around,
    set: answers.set,
    problems: installationProblems(chosen, { ...around, ...(schema ? { schema } : {}) }),
    images: contents && imagesOf(chosen, contents, around),
  };
}

function imagesOf(
  chosen: unknown,
  contents: NonNullable<Assessment['contents']>,
  around: InstallationStepData['around'],
): InstallationStepData['images'] {
  const parsed = installationSpec.safeParse(chosen);
  const kinds = Object.values(contents.manifests).flatMap(({ objects }) =>
    objects.map(({ kind }: ManifestObject) => kind),
  );
  const { images, missing } = planImages({
    release: contents.version,
    operator: contents.operator,
    parts: imagePartsOf(parsed.success ? parsed.data : {}, kinds, around),
    // The answers' variant counts, not that of the release's file.
    variant: parsed.success ? parsed.data.variant : undefined,
  });
  return { names: images.map(({ image }) => image), missing };
}
