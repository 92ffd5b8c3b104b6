import { isRecord } from '#lib/base/records.ts';
import { type ImageNaming, type ImagePart, imageParts, type ManifestObject, renamedImage } from '#lib/spec/index.ts';
import { effectiveSpec } from './effective-spec.ts';
import type { InstallationSpec, Provider } from './installation-spec.ts';

/** The registry, path and prefix of an Installation. */
export function namingOf({ registry, imagePath, imagePrefix }: InstallationSpec): ImageNaming {
  return { registry, imagePath, imagePrefix };
}

/**
 * The components that an installation runs, which decide the images that its nodes pull.
 *
 * @param kinds Kinds of the custom resources beside the Installation: `APIServer`, `Goldmane`, `Whisker`, `GatewayAPI`.
 */
export function imagePartsOf(
  spec: InstallationSpec,
  kinds: readonly string[],
  around: { readonly provider?: Provider; readonly awsNode?: boolean; readonly windows?: boolean } = {},
): readonly ImagePart[] {
  const { cni, kubernetesProvider } = effectiveSpec(spec, around);
  const wanted: Readonly<Record<ImagePart, boolean>> = {
    operator: true,
    agent: true,
    cni: cni?.type === 'Calico',
    flexvolume: spec.flexVolumePath !== 'None',
    csi: spec.kubeletVolumePluginPath !== 'None',
    apiserver: kinds.includes('APIServer'),
    goldmane: kinds.includes('Goldmane'),
    whisker: kinds.includes('Whisker'),
    certificates: 'certificateManagement' in spec && spec.certificateManagement !== undefined,
    gateway: kinds.includes('GatewayAPI'),
    openshift: kubernetesProvider === 'OpenShift',
    windows: around.windows === true,
    extra: false,
  };
  return imageParts.filter((part) => wanted[part]);
}

/**
 * Objects of a release with the images of every pod template in another registry, and with the Secrets that pulling needs: the operator's own
 * Deployment, which `spec.registry` of the Installation does not reach (pain.md J1, J2). The Secrets must be in its namespace.
 *
 * `TIGERA_OPERATOR_INIT_IMAGE_VERSION` and everything else stays as it is. Objects without a pod template are the same objects.
 */
export function mirroredObjects(
  objects: readonly ManifestObject[],
  naming: ImageNaming,
  pullSecrets: readonly string[],
): readonly ManifestObject[] {
  return objects.map((object) => mirrored(object, naming, pullSecrets));
}

function mirrored(object: ManifestObject, naming: ImageNaming, pullSecrets: readonly string[]): ManifestObject {
  const spec = record(object.spec);
  const template = record(spec?.template);
  const pod = record(template?.spec);
  if (!spec || !template || !pod || !Array.isArray(pod.containers)) return object;
  const images = (containers: unknown) =>
    Array.isArray(containers)
      ? containers.map((one: unknown) => {
          const container = record(one);
          return container && typeof container.image === 'string'
            ? { ...container, image: renamedImage(container.image, naming) }
            : one;
        })
      : containers;
  const named = [
    ...(Array.isArray(pod.imagePullSecrets) ? pod.imagePullSecrets : []),
    ...pullSecrets.map((name) => ({ name })),
  ];
  const changed = {
    ...pod,
    containers: images(pod.containers),
    ...('initContainers' in pod ? { initContainers: images(pod.initContainers) } : {}),
    ...(pullSecrets.length > 0 ? { imagePullSecrets: named } : {}),
  };
  return { ...object, spec: { ...spec, template: { ...template, spec: changed } } };
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return isRecord(value) ? value : null;
}
