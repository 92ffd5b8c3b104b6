/** Registry, path and prefix of images, as in Installation `spec`: `registry` ends in a slash; `UseDefault` means the default. */
export type ImageNaming = {
  readonly registry?: string | undefined;
  readonly imagePath?: string | undefined;
  readonly imagePrefix?: string | undefined;
};

/**
 * The name of an image in another registry: `<registry><imagePath>/<imagePrefix><name>:<tag>`, as the operator names it (calico.md §2.1;
 * tigera/operator pkg/components/references.go): the prefix precedes the last part of the name, the path replaces the first.
 *
 * `quay.io/calico/node:v3.31.4` with registry `mirror.example/`, path `net`, prefix `c-` → `mirror.example/net/c-node:v3.31.4`.
 */
export function renamedImage(image: string, { registry, imagePath, imagePrefix }: ImageNaming): string {
  const parts = splitImage(image);
  const prefixed = [...parts.path, `${chosen(imagePrefix) ?? ''}${parts.name}`];
  const path = chosen(imagePath);
  const named = path === undefined ? prefixed : [path, ...(prefixed.length > 1 ? prefixed.slice(1) : prefixed)];
  return `${chosen(registry) ?? parts.registry}${named.join('/')}${parts.version}`;
}

/** `quay.io/calico/node:v3.31.4` → registry `quay.io/`, path `['calico']`, name `node`, version `:v3.31.4` (or `@sha256:…`). */
export function splitImage(image: string): {
  readonly registry: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly version: string;
} {
  const at = image.indexOf('@');
  const plain = at < 0 ? image : image.slice(0, at);
  const colon = plain.lastIndexOf(':');
  const end = colon > plain.lastIndexOf('/') ? colon : plain.length;
  const parts = plain.slice(0, end).split('/');
  // A first part with a dot or a port is a host (distribution's reference grammar); `calico/node` has none, and means docker.io.
  const hasHost = parts.length > 1 && /[.:]|^localhost$/.test(parts[0] ?? '');
  const [name = '', ...path] = parts.slice(hasHost ? 1 : 0).reverse();
  return { registry: hasHost ? `${parts[0]}/` : '', path: path.reverse(), name, version: image.slice(end) };
}

/** An image without its version: `mirror.example:5000/net/node`. */
export function imagePlace(image: string): string {
  const { registry, path, name } = splitImage(image);
  return `${registry}${[...path, name].join('/')}`;
}

const chosen = (value: string | undefined) => (value === '' || value === 'UseDefault' ? undefined : value);

/** An invalid part of a naming, and what to write instead. */
export type NamingFault = { readonly field: keyof ImageNaming; readonly because: string };

/** Faults of a naming by field; empty if the resulting names are valid. */
export function namingFaults(naming: ImageNaming): readonly NamingFault[] {
  const registry = chosen(naming.registry);
  const imagePath = chosen(naming.imagePath);
  const imagePrefix = chosen(naming.imagePrefix);
  return [
    ...fault('registry', registry, (text) => {
      if (/^[a-z]+:\/\//i.test(text)) return 'is a URL; a host is needed, such as registry.example.com/';
      if (text.includes('@')) return 'holds a user name; Secrets named in imagePullSecrets are for that';
      if (!text.endsWith('/')) return `needs a slash at its end: ${text}/`;
      return /^[\w.-]+(?::\d{1,5})?\/(?:[a-z0-9._-]+\/)*$/i.test(text) ? null : 'is not a host with a slash at its end';
    }),
    ...fault('imagePath', imagePath, (text) => {
      if (/^\/|\/$/.test(text)) return 'must neither begin nor end with a slash: the operator writes those';
      return /^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/.test(text)
        ? null
        : 'may have small letters, digits, dots, dashes and slashes';
    }),
    ...fault('imagePrefix', imagePrefix, (text) =>
      /^[a-z0-9][a-z0-9._-]*$/.test(text) ? null : 'may have small letters, digits, dots and dashes',
    ),
  ];
}

function fault(
  field: keyof ImageNaming,
  value: string | undefined,
  judge: (text: string) => string | null,
): readonly NamingFault[] {
  const because = value === undefined ? null : judge(value);
  return because === null ? [] : [{ field, because: `${JSON.stringify(value)} ${because}` }];
}
