export { canPlayNodes } from './testing/can-play-nodes.ts';
export { dnsServer, type Fabric, fabric, insideOf, listener } from './testing/fabric.ts';
