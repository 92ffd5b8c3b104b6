export { canPlayNodes } from './testing/can-play-nodes.ts';
export { dnsServer, type Fabric, fabric, listener } from './testing/fabric.ts';
