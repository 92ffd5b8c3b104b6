/** Says by name to which interfaces of the network an agent would attach in this network namespace, or why to none. */
import { PacketDevices } from '#lib/node/index.ts';

const devices = new PacketDevices({
  choice: { network: 'found', pods: [] },
  interfaces: {
    ...{ name: 'interfaces', maxEntries: 64, get: () => null, set: () => {}, setAll: (all) => all.length },
    ...{ delete: () => true, entries: () => [][Symbol.iterator]() },
  },
  attach: () => () => {},
  detach: () => {},
  isAttached: () => true,
  nodeIps: () => [],
  log: () => {},
});
devices.bring();
console.log(devices.refusal() ?? [...devices.rows.keys()].join(' '));
