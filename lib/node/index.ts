export { nodeAddresses } from './services/node-view.ts';
export { Present } from './services/present.ts';
export { ServiceTable } from './services/service-table.ts';
