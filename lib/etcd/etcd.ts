import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { type CallOptions, ChannelCredentials, Client, type ServiceError, status } from '@grpc/grpc-js';
import { withoutBrackets } from '#lib/base/ip.ts';
import { type CallOptions as KubeCallOptions, KubeError, type KubeErrorCode } from '#lib/kube/index.ts';
import { decodeRange, encodeRange, type RangeRequest, type RangeResponse } from './range.ts';

/**
 * How to reach a user's etcd: the addresses of `etcd_endpoints`, and PEM texts. They are kept in memory while a command runs and never written: not
 * to a plan, journal, report or error.
 */
export type EtcdAccess = {
  readonly endpoints: readonly URL[];
  readonly ca: string | null;
  readonly client: { readonly certificate: string; readonly key: string } | null;
};

/** Only reads keys: Signalbox never writes to a user's etcd. */
export type Etcd = {
  range(request: RangeRequest, options?: KubeCallOptions): Promise<RangeResponse>;
  close(): void;
};

const method = '/etcdserverpb.KV/Range';
const longestMs = 10_000;
/** The most bytes of a page; etcd itself accepts no value above 1.5 MiB. */
const mostBytes = 16 * 1024 * 1024;

const channel = {
  'grpc.max_receive_message_length': mostBytes,
  // Ignores a proxy from the environment, and settings from TXT records.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

/**
 * Opens etcd by gRPC, because etcd's JSON gateway does not authenticate users by certificate. The first address that answers is used from then on.
 * `range` rejects with KubeError: `credentials` if certificate or key cannot be read, `too-many-requests` if fewer keys should be requested at once.
 */
export function openEtcd({ endpoints, ca, client }: EtcdAccess): Etcd {
  const clients = endpoints.map((endpoint) => ({
    name: endpoint.host,
    client: new Client(addressOf(endpoint), credentialsFor(endpoint, ca, client), {
      ...channel,
      ...(isIP(withoutBrackets(endpoint.hostname)) === 0 ? {} : { 'grpc.ssl_target_name_override': nameForAddresses }),
    }),
  }));
  return {
    range: async (request, options = {}) => {
      const failures: KubeError[] = [];
      for (const one of [...clients]) {
        try {
          const answer = await call(one.client, request, options);
          clients.sort((a, b) => Number(b === one) - Number(a === one));
          return answer;
        } catch (error) {
          const failure = inWords(error as Partial<ServiceError>, one.name, options);
          if (failure.code !== 'unreachable' && failure.code !== 'timeout') throw failure;
          failures.push(failure);
        }
      }
      throw failures[0] ?? new KubeError('unreachable', 'No address of etcd is given.');
    },
    close: () => {
      for (const one of clients) one.client.close();
    },
  };
}

/** TLS has no server name for an IP address, and warns about one (RFC 6066, 3). The certificate is checked against the address nevertheless. */
const nameForAddresses = 'etcd';

/** The address with its port: a URL omits the usual port of its scheme. */
function addressOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
}

function credentialsFor(endpoint: URL, ca: string | null, client: EtcdAccess['client']): ChannelCredentials {
  if (endpoint.protocol === 'http:') return ChannelCredentials.createInsecure();
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  try {
    return ChannelCredentials.createSsl(bytes(ca ?? undefined), bytes(client?.key), bytes(client?.certificate), {
      checkServerIdentity: (_name, certificate) => checkServerIdentity(withoutBrackets(endpoint.hostname), certificate),
    });
  } catch (error) {
    throw new KubeError(
      'credentials',
      'The authority, certificate or key for etcd cannot be read: each is needed as PEM, and the key without a password.',
      {},
      error,
    );
  }
}

/** Decoded later, because gRPC would report undecodable bytes as the server's error. */
const asItCame = (bytes: Buffer) => bytes;

function call(client: Client, request: RangeRequest, { signal, timeoutMs = longestMs }: KubeCallOptions) {
  return new Promise<RangeResponse>((resolve, reject) => {
    const options: CallOptions = { deadline: Date.now() + Math.min(timeoutMs, longestMs) };
    const unaryCall = client.makeUnaryRequest(method, encodeRange, asItCame, request, options, (error, answer) => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(error);
      else if (answer === undefined) reject(new RangeError('no answer'));
      else
        try {
          resolve(decodeRange(answer));
        } catch (unreadable) {
          reject(unreadable);
        }
    });
    const cancel = () => unaryCall.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
  });
}

const codes: Partial<Record<number, KubeErrorCode>> = {
  [status.UNAVAILABLE]: 'unreachable',
  [status.DEADLINE_EXCEEDED]: 'timeout',
  [status.PERMISSION_DENIED]: 'forbidden',
  [status.UNAUTHENTICATED]: 'unauthorized',
  // From a member that requires a user and got no certificate.
  [status.INVALID_ARGUMENT]: 'unauthorized',
  [status.RESOURCE_EXHAUSTED]: 'too-many-requests',
  [status.INTERNAL]: 'server',
  [status.UNKNOWN]: 'server',
};

function inWords({ code, details }: Partial<ServiceError>, name: string, { signal }: KubeCallOptions): KubeError {
  if (signal?.aborted) return new KubeError('aborted', 'The request to etcd was cancelled.');
  const kind = codes[code ?? -1] ?? 'protocol';
  const says = details === undefined ? '' : `: ${details.slice(0, 300)}`;
  switch (kind) {
    case 'unreachable':
    case 'timeout':
      return new KubeError(kind, `etcd at ${name} does not answer${says}`);
    case 'forbidden':
    case 'unauthorized':
      return new KubeError(kind, `etcd at ${name} does not let this certificate read Calico's keys${says}`);
    case 'too-many-requests':
      return new KubeError(kind, `The answer of etcd at ${name} is too large, or it is overloaded${says}`);
    case 'server':
      return new KubeError(kind, `${name} ended the call with an error${says}`);
    default:
      return new KubeError(kind, `${name} is not an etcd of version 3${says}`);
  }
}
