import { hostAndPort } from '#lib/base/ip.ts';
import { canonicalAddress, undialledRange } from '#lib/spec/index.ts';
import type { LeftAlone } from '../../port.ts';

/** The addresses of the kubeconfig's server as this machine resolves them. Empty behind a proxy, which resolves the name itself. */
export type OwnServer = { readonly addresses: readonly string[]; readonly port: number };

export type Target = { readonly address: string; readonly port: number };

/** Why an address must not be dialled, as *is …*; null: it may be. Tests pass their own, because they dial loopback. */
export type AddressRule = (address: string) => string | null;

/** The rule outside of tests: no loopback, link-local, metadata or other range of `undialledRanges`. */
export const noLocalAddress: AddressRule = (address) => {
  const range = undialledRange(address);
  return range === null ? null : `is ${range.is}`;
};

/**
 * Selects the addresses to dial from those that a cluster names. They are already resolved, so that a second resolution cannot change them. An address in
 * `undialledRanges` is dialled only if the kubeconfig's server has the same address and port: kind, minikube and SSH tunnels use loopback, where other
 * ports belong to other programs.
 */
export function whomToDial(
  targets: readonly Target[],
  { own, rule, most }: { own: OwnServer; rule: AddressRule; most: number },
): { dial: Target[]; leftAlone: LeftAlone[] } {
  const isOwn = ({ address, port }: Target) =>
    port === own.port && own.addresses.some((one) => canonicalAddress(one) === canonicalAddress(address));
  const dial = new Map<string, Target>();
  const leftAlone = new Map<string, LeftAlone>();
  const beyond = new Map<string, LeftAlone>();
  for (const target of targets) {
    const address = written(target);
    const canonical = canonicalAddress(target.address);
    const key = `${canonical ?? target.address} ${target.port}`;
    if (dial.has(key) || leftAlone.has(key) || beyond.has(key)) continue;
    const because = canonical === null ? 'is not an IP address' : isOwn(target) ? null : rule(target.address);
    if (because !== null) leftAlone.set(key, { address, because });
    else if (dial.size >= most) beyond.set(key, { address, because: `comes after the first ${most}` });
    else dial.set(key, target);
  }
  return { dial: [...dial.values()], leftAlone: [...leftAlone.values(), ...beyond.values()].slice(0, mostNamed) };
}

/** The cluster writes this list, so it may be long. */
const mostNamed = 32;

/** Address and port as in a URL: `10.0.0.1:6443`, `[fd00::1]:6443`. */
export function written({ address, port }: Target): string {
  return hostAndPort({ host: address, port });
}
