import { hostAndPort } from '#lib/base/ip.ts';
import { canonicalAddress, undialledRange } from '#lib/spec/index.ts';
import type { LeftAlone } from '../../port.ts';

/** The kubeconfig's own server as this machine resolves it. Empty where a proxy stands before it: then nobody here knows its address. */
export type OwnServer = { readonly addresses: readonly string[]; readonly port: number };

export type Target = { readonly address: string; readonly port: number };

/** Why an address is left alone, as *is …*; null where it may be dialled. Tests give their own: all they have is loopback. */
export type AddressRule = (address: string) => string | null;

export const noLocalAddress: AddressRule = (address) => {
  const range = undialledRange(address);
  return range === null ? null : `is ${range.is}`;
};

/**
 * Which of the addresses that a cluster names are dialled. They are the very addresses that a connection goes to: names are resolved before, once.
 * An address of the list of `undialledRanges` is dialled only where the credentials' own server is, at the same address and port: kind, minikube and
 * SSH tunnels have theirs on loopback, and every other port there is somebody else's.
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
    const because = canonical === null ? 'is no address' : isOwn(target) ? null : rule(target.address);
    if (because !== null) leftAlone.set(key, { address, because });
    else if (dial.size >= most) beyond.set(key, { address, because: `comes after the first ${most}` });
    else dial.set(key, target);
  }
  return { dial: [...dial.values()], leftAlone: [...leftAlone.values(), ...beyond.values()].slice(0, mostNamed) };
}

/** A list that somebody else writes may be long. */
const mostNamed = 32;

/** `10.0.0.1:6443`, `[fd00::1]:6443`. */
export function written({ address, port }: Target): string {
  return hostAndPort({ host: address, port });
}
