import { hostAndPort } from '#lib/base/ip.ts';
import { sentence, thousands } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { WizardContext } from './wizard-context.ts';

/** Results of the endpoint's probe from the console's machine, from Facts and findings. Connects to nothing. */

/** One row. `also`: the measured values. */
export type EndpointRow = {
  what: string;
  state: 'ok' | 'warn' | 'bad' | 'unknown';
  says: string;
  also: readonly string[];
};

export type EndpointRows = {
  /** The dialled address; null: none. */
  seen: string | null;
  itself: EndpointRow[];
  /** Each API server behind it, dialled separately. Empty if nothing was dialled. */
  servers: EndpointRow[];
};

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;
type Dialled = Probe['servers'][number];

/** A certificate that expires within this time is marked. Our choice, no source sets it. */
const nearDays = 30;
/** Most names of a certificate that are shown; it may have thousands. */
const mostNames = 16;
/** HTTP codes about the client or the load, which do not show whether the server is ready. */
const notAboutReadiness: ReadonlySet<number> = new Set([401, 403, 429]);

export function endpointRows({ facts, findings, endpoint }: WizardContext): EndpointRows {
  const probe = facts.resources.endpointProbe;
  const stable = endpoint === null ? undefined : stableRow(findings);
  const byRule = stable === undefined ? [] : [stable];
  if ('because' in probe) {
    const notTried = row('From here', 'unknown', `Not tried: ${probe.because}.`);
    return { seen: null, itself: [notTried, ...byRule], servers: [] };
  }
  const { host, port } = probe.endpoint;
  const now = Date.parse(findings.checkedAt);
  return {
    seen: hostAndPort({ host, port }),
    itself: [
      nameRow(probe.name),
      ...(probe.name.resolved ? [connectionRow(probe)] : []),
      ...(probe.certificate === null ? [] : certificateRows(probe.certificate, host, now)),
      ...(probe.connection.made ? [readyRow(probe)] : []),
      ...byRule,
    ],
    servers: [
      ...probe.servers.map((server) => serverRow(server, now)),
      ...probe.leftAlone
        .filter(({ address }) => facts.endpoint.apiServers.includes(address))
        .map(({ address, because }) => row(address, 'unknown', `Not tested: it ${because}.`)),
      ...(facts.endpoint.apiServers.length === 0 ? [noServer] : []),
    ],
  };
}

function stableRow({ findings }: WizardContext['findings']): EndpointRow | undefined {
  const found = findings.find(({ id }) => id === 'endpoint.stable');
  if (found === undefined || found.status === 'skipped') return undefined;
  return row('Is it stable?', ({ pass: 'ok', fail: 'warn', unknown: 'unknown' } as const)[found.status], found.because);
}

function nameRow(name: Probe['name']): EndpointRow {
  if (!name.resolved)
    return row(
      'Name',
      'unknown',
      `Not resolved from here: ${name.because}. Whether the nodes know it is not measured.`,
    );
  const { by, addresses, aliases, records } = name;
  const read = [
    ...aliases.map((alias) => `CNAME ${alias}`),
    ...records.map(({ type, address, ttlSeconds }) => `${type} ${address}, TTL ${ttlSeconds} s`),
  ];
  switch (by) {
    case 'address':
      return row('Name', 'ok', 'It is an IP address: no DNS is needed.');
    case 'machine':
      return row(
        'Name',
        'warn',
        'Only this machine resolves it, through its hosts file or mDNS. DNS does not have it, and pods do not read the hosts file of their node.',
        addresses,
      );
    case 'undecided':
      return row(
        'Name',
        'unknown',
        'This machine resolves it. DNS: not tested, its name servers did not answer.',
        addresses,
      );
    case 'dns': {
      const known = new Set(records.map(({ address }) => address));
      const beside = addresses.filter((address) => !known.has(address));
      if (beside.length === 0) return row('Name', 'ok', 'DNS has it.', read);
      return row(
        'Name',
        'warn',
        `DNS has it, but this machine goes to ${beside.join(', ')}, which DNS did not name: its hosts file comes first, or DNS answers differently each time.`,
        read,
      );
    }
  }
}

function connectionRow({ connection, latency }: Probe): EndpointRow {
  if (!connection.made && connection.notTested)
    return row('Connection', 'unknown', `Not tested: ${connection.because}.`);
  if (!connection.made)
    return row(
      'Connection',
      'unknown',
      `None from here: ${connection.because}. Whether the nodes reach it is not measured.`,
    );
  if (latency === null) return row('Connection', 'ok', `Made in ${connection.latencyMs} ms.`);
  return row('Connection', 'ok', `Made in ${latency.medianMs} ms, the median; the fastest took ${latency.minMs} ms.`);
}

function certificateRows(certificate: NonNullable<Dialled['certificate']>, host: string, now: number): EndpointRow[] {
  const { names, issuer } = certificate;
  const shown = [
    ...(names.length === 0 ? [] : [`for ${namesOf(names)}`]),
    ...(issuer === null ? [] : [`issued by ${issuer}`]),
  ];
  if (!certificate.verified && shown.length === 0)
    return [row('Certificate', 'bad', sentence(`None could be read: ${certificate.because}`))];
  return [
    certificate.verified
      ? row('Certificate', 'ok', `Verifies for ${host} with the cluster’s own authorities.`, shown)
      : row('Certificate', 'bad', sentence(`Does not verify for ${host}: ${certificate.because}`), shown),
    expiryRow(certificate.expiresAt, now),
  ];
}

function namesOf(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Expiry = { kind: 'unreadable' } | { kind: 'over' | 'near' | 'far'; day: string; days: number };

function expiryOf(expiresAt: string | null, now: number): Expiry {
  if (expiresAt === null) return { kind: 'unreadable' };
  const days = Math.floor((Date.parse(expiresAt) - now) / 86_400_000);
  return { kind: days < 0 ? 'over' : days < nearDays ? 'near' : 'far', day: expiresAt.slice(0, 10), days };
}

function expiryRow(expiresAt: string | null, now: number): EndpointRow {
  const expiry = expiryOf(expiresAt, now);
  switch (expiry.kind) {
    case 'unreadable':
      return row('Expires', 'unknown', 'The certificate has no readable expiry date.');
    case 'over':
      return row('Expires', 'bad', `It ended on ${expiry.day}. Every client refuses it until it is renewed.`);
    case 'near':
      return row(
        'Expires',
        'warn',
        `On ${expiry.day}, ${inDays(expiry.days)}. From then on every agent refuses it: renew it before.`,
      );
    case 'far':
      return row('Expires', 'ok', `On ${expiry.day}, ${inDays(expiry.days)}.`);
  }
}

function inDays(days: number): string {
  if (days === 0) return 'within a day';
  return days === 1 ? 'in 1 day' : `in ${thousands(days)} days`;
}

type Answered = Pick<EndpointRow, 'state' | 'says'>;

function readyAnswer({ certificate, ready }: Dialled | Probe): Answered {
  if (ready === null)
    return certificate?.verified
      ? { state: 'unknown', says: 'asked; no readable answer' }
      : { state: 'unknown', says: 'not asked, as the certificate does not verify' };
  const { ok, status, failing, refusesStrangers } = ready;
  if (ok) return { state: 'ok', says: `ready (${status})` };
  if (refusesStrangers)
    return {
      state: 'ok',
      says: `an API server answered ${status}: without credentials it does not tell whether it is ready, and none are sent`,
    };
  if (notAboutReadiness.has(status))
    return { state: 'unknown', says: `answered ${status}, which does not tell whether it is ready` };
  return {
    state: 'bad',
    says: `not ready (${status})${failing.length > 0 ? `; failing: ${failing.join(', ')}` : ', and names no failing part'}`,
  };
}

function readyRow(probe: Probe): EndpointRow {
  const { state, says } = readyAnswer(probe);
  return row('/readyz', state, `${says.charAt(0).toUpperCase()}${says.slice(1)}.`);
}

/** A server that cannot be reached from here is not marked as faulty: a firewall may admit only the load balancer (pain A14). */
function serverRow(server: Dialled, now: number): EndpointRow {
  const { address, connection, certificate } = server;
  if (!connection.made) return row(address, 'unknown', `Cannot be asked from here: ${connection.because}.`);
  const took = `Connected in ${connection.latencyMs} ms`;
  if (certificate === null || !certificate.verified)
    return row(
      address,
      'warn',
      sentence(`${took}; its certificate does not verify: ${certificate?.because ?? 'none was shown'}`),
    );
  const ready = readyAnswer(server);
  const expiry = expiryOf(certificate.expiresAt, now);
  const ends = expiry.kind === 'near' ? ` Its certificate ends on ${expiry.day}, ${inDays(expiry.days)}.` : '';
  return row(address, ready.state === 'ok' && ends !== '' ? 'warn' : ready.state, `${took}; ${ready.says}.${ends}`);
}

const noServer = row(
  'None',
  'unknown',
  'EndpointSlice default/kubernetes names no API server, so none was tested on its own.',
);

function row(what: string, state: EndpointRow['state'], says: string, also: readonly string[] = []): EndpointRow {
  return { what, state, says, also };
}
