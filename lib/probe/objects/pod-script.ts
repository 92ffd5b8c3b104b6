import { embeddingPrograms } from '../embedding-programs.ts';
import { strides } from '../partners/pairs.ts';
import { questionAbout } from '../scripts/question-about.ts';
import { podScript, probeScript, withoutComments, withoutPart } from '../scripts/scripts.ts';
import { secondsToLive } from './durations.ts';
import { partnersAmong } from './pod-kinds.ts';
import type { ProbeSettings } from './settings.ts';

/** The script of a pod. With several groups of nodes without comments and unneeded parts, because the pods are many. */
export function scriptOf(
  podKind: 'host' | 'pod',
  settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'dsr'>,
): string {
  if (partnersAmong(settings).groups.length === 1) return commented[podKind];
  return (settings.dsr ? bare : bareWithoutDsr)[podKind];
}

const commented = { host: probeScript, pod: podScript };
const bare = { host: withoutComments(probeScript), pod: withoutComments(podScript) };
const bareWithoutDsr = { ...bare, host: withoutComments(withoutPart('dsr', probeScript)) };

/** The script's environment; its head explains each variable. */
export function probeEnvironment(podKind: 'host' | 'pod', settings: ProbeSettings, group = 0): Record<string, string> {
  const { endpoint, apiServers = [], services = noServices } = settings;
  const indexes = podKind === 'host' ? (partnersAmong(settings).groups[group] ?? []) : [];
  const listed = (addresses: Addresses = []) =>
    addresses.length === 0 ? '' : indexes.map((index) => addresses[index] ?? '-').join(' ');
  return {
    WAY: podKind,
    RUN: String(settings.run),
    ENDPOINT: hostAndPortOf(endpoint),
    API_SERVICE: hostAndPortOf(services.api),
    DNS: hostAndPortOf(services.dns),
    QUESTION: services.dns === null ? '' : questionAbout(services.api?.host ?? services.dns.host),
    API_SERVERS: apiServers.map(({ host, port }) => `${host},${port}`).join(' '),
    ADDRESSES: listed(settings.addresses),
    ADDRESSES_V6: listed(settings.addressesV6),
    STRIDES: strides(indexes.length).join(' '),
    BRIDGES: bridgesOf(settings, indexes).join(' '),
    DSR: settings.dsr ? 'yes' : '',
    PORT: String(settings.vxlanPort),
    CGROUP: settings.cgroupFolder,
    FLEXVOLUME: settings.flexVolumeFolder ?? '',
    EMBEDDING: embeddingPrograms.join(' '),
    SECONDS_TO_LIVE: String(secondsToLive(settings)),
  };
}

const noServices = { api: null, dns: null };
/** An address as the scripts take it: `HOST PORT`. Empty: there is none. */
export const hostAndPortOf = (address: { readonly host: string; readonly port: string | number } | null): string =>
  address === null ? '' : `${address.host} ${address.port}`;

type Addresses = ProbeSettings['addresses'];

/**
 * One line for each end of a bridge among these nodes, as short as possible, because each of these pods has all of them. The script's head explains
 * the format.
 */
function bridgesOf({ addresses, addressesV6 = [], partners }: ProbeSettings, indexes: readonly number[]): string[] {
  const positionOf = new Map(indexes.map((node, position) => [node, position]));
  return (partners?.bridges ?? []).flatMap(({ ends: [one, other], colour }) =>
    [[one, other] as const, [other, one] as const].flatMap(([own, peer], end) => {
      const position = positionOf.get(own);
      if (position === undefined) return [];
      const found = [addresses[peer] ?? '-', addressesV6[peer] ?? '-'].join();
      return [`${position},${end},${colour},${found.replace(/,-$/, '')}`];
    }),
  );
}
