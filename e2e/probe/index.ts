export { canPlayNodes } from './testing/can-play-nodes.ts';
export { type Fabric, fabric, listener } from './testing/fabric.ts';
