import type { ShownFlow, ShownRoute, ShownService } from '#lib/node/index.ts';

/** Tables of a node's maps. Columns are a contract: add at the end, never rename. */

const orDash = (text: string | number | null) => (text === null || text === '' ? '-' : String(text));

export function servicesTable(services: readonly ShownService[]): string[][] {
  return [
    ['ADDRESS', 'PORT', 'PROTOCOL', 'BACKENDS', 'LOCAL', 'FLAGS'],
    ...services.map(({ address, port, protocol, cluster, local, flags }) =>
      [address, port, protocol, cluster.length, local.length, orDash(flags.join(','))].map(String),
    ),
  ];
}

export function routesTable(routes: readonly ShownRoute[]): string[][] {
  return [
    ['ADDRESS', 'FLAGS', 'INTERFACE', 'NODE'],
    ...routes.map(({ address, prefix, flags, interface: ifindex, node }) => [
      `${address}/${prefix}`,
      orDash(flags.join(',')),
      orDash(ifindex),
      orDash(node),
    ]),
  ];
}

export function flowsTable(flows: readonly ShownFlow[]): string[][] {
  return [
    ['PROTOCOL', 'TYPE', 'CLIENT', 'SERVICE', 'BACKEND', 'NODE', 'IDLE', 'PACKETS', 'BYTES'],
    ...flows.map(({ protocol, type, client, service, backend, node, idleSeconds, packets, bytes }) => [
      ...[protocol, type, client, service, backend, orDash(node), `${idleSeconds}s`],
      packets.join('/'),
      bytes.join('/'),
    ]),
  ];
}
