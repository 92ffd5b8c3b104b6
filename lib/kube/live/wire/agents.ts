import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { withoutBrackets } from '#lib/base/ip.ts';
import type { ClientCertificate } from '../credentials/credential.ts';
import type { ClusterAccess } from '../kubeconfig/access.ts';
import { type ProxyRoute, proxyFor } from './proxy.ts';
import { openTunnel } from './tunnel.ts';

const connectTimeoutMs = 10_000;
/** Delay of Node's keep-alive probes: dead peers are noticed ten seconds after it, also on a silent watch. */
const keepAliveProbeMs = 15_000;
/** Less than load balancers allow (60 s), so that no request is sent on a connection that is being closed. */
const idleConnectionMs = 30_000;
const requestConnections = 6;

/** `requests` share a few connections; each watch, followed log or exec has a connection of `streams` to itself. */
export type AgentPair = { readonly requests: Agent; readonly streams: Agent };

/** One pair for one cluster and client certificate. */
export function makeAgents(
  access: ClusterAccess,
  certificate: ClientCertificate | null,
  env: Readonly<Record<string, string | undefined>>,
): AgentPair {
  const connect = connector(access, certificate, proxyFor(access.server, access.proxy, env));
  const common = {
    connect,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
  };
  return {
    requests: new Agent({ ...common, connections: requestConnections }),
    streams: new Agent({ ...common, connections: null }),
  };
}

function connector(
  access: ClusterAccess,
  certificate: ClientCertificate | null,
  proxy: ProxyRoute | null,
): buildConnector.connector {
  const dial = buildConnector({ ...tlsOptions(access, certificate), timeout: connectTimeoutMs, ...keepAlive });
  if (!proxy) return dial;
  return (options, callback) => {
    const secure = options.protocol === 'https:';
    const host = withoutBrackets(options.hostname);
    openTunnel(proxy, host, Number(options.port || (secure ? 443 : 80)), connectTimeoutMs).then(
      (socket) => {
        if (secure) return dial({ ...options, httpSocket: socket }, callback);
        callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

const keepAlive = { keepAlive: true, keepAliveInitialDelay: keepAliveProbeMs, allowH2: false };

/** Trusts only the cluster's authorities if it names any. `tls-server-name` may be an address, which SNI cannot carry. */
function tlsOptions(access: ClusterAccess, certificate: ClientCertificate | null) {
  const { serverName } = access;
  return {
    ...(access.authorities === null ? {} : { ca: access.authorities }),
    ...(certificate ? { cert: certificate.cert, key: certificate.key.reveal() } : {}),
    rejectUnauthorized: access.verification === 'full',
    ...(serverName === null
      ? {}
      : { checkServerIdentity: (_host: string, peer: PeerCertificate) => checkServerIdentity(serverName, peer) }),
    ...(serverName === null || isIP(serverName) !== 0 ? {} : { servername: serverName }),
  };
}

type PeerCertificate = Parameters<typeof checkServerIdentity>[1];
