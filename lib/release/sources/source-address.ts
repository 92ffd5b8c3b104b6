import { isThisMachine } from '#lib/base/ip.ts';
import { ReleaseError } from '../release-error.ts';

/** Where the manifests of every Calico release are published, as committed at its tag (calico.md §1.1). */
export const publicAddress = 'https://raw.githubusercontent.com/projectcalico/calico';
/** Where what is built of a release is published: OpenShift's bundle is (calico.md §1.1). */
const publicAssets = 'https://github.com/projectcalico/calico/releases/download';

/** The same path below every source: `<base>/<version>/manifests/<file>`. The bundle for OpenShift lies elsewhere at the public one. */
export function fileAddress(base: string, version: string, file: string): string {
  if (base === publicAddress && file === 'ocp.tgz') return `${publicAssets}/${version}/${file}`;
  return `${base}/${version}/manifests/${file}`;
}

/** A release's file at the public address. */
export function releaseAddress(version: string, name: string): string {
  return fileAddress(publicAddress, version, name);
}

/**
 * An address as the base of a source. Nothing that could be a secret is taken, and none is repeated: a user name, a password, a query.
 * Without TLS only on this machine, unless SIGNALBOX_HTTP_SOURCE is `allow`.
 *
 * @throws ReleaseError `release.source`
 */
export function sourceAddress(
  text: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const refuse = (because: string) => new ReleaseError('release.source', because);
  if (!URL.canParse(text))
    throw refuse('The source is not an address. Write one such as https://mirror.example/calico.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw refuse(
      `The source’s address for ${url.host} holds a user name or a password, which would end up in plans and logs. Name an address that needs none, or a folder.`,
    );
  if (url.search !== '' || url.hash !== '')
    throw refuse(
      `The source’s address for ${url.host} has a query or a fragment, to which no file name can be added and which may be a secret. Leave it out.`,
    );
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('The source is not an https:// address. Use one, or the path of a folder or a bundle.');
  if (url.protocol === 'http:' && !isThisMachine(url.hostname) && env.SIGNALBOX_HTTP_SOURCE !== 'allow')
    throw refuse(
      `The source ${url.origin} is not https: whoever is between could hand over another release. Use https, or set SIGNALBOX_HTTP_SOURCE=allow.`,
    );
  return `${url.origin}${withoutRelease(url.pathname, version)}`;
}

/** Who copies the address of a release, of its folder or of a file in it means the base of it. */
function withoutRelease(path: string, version: string): string {
  const end = path.indexOf(`/${version}/manifests`);
  const base = end < 0 ? path : path.slice(0, end);
  return base.replace(/\/+$/, '').replace(new RegExp(`/${version.replaceAll('.', '\\.')}$`), '');
}

/** Why a redirect is not followed, as a phrase; null: it is followed. A redirect must not leave TLS, and its address must not contain a secret. */
export function redirectFault(from: URL, to: URL): string | null {
  if (to.username !== '' || to.password !== '') return `an address at ${to.host} that holds a user name or a password`;
  if (to.protocol === 'https:') return null;
  if (
    to.protocol === 'http:' &&
    from.protocol === 'http:' &&
    isThisMachine(from.hostname) &&
    isThisMachine(to.hostname)
  )
    return null;
  return `${to.protocol}//${to.host}, which is not https`;
}
