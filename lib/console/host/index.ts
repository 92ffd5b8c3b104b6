export type { HostLog } from './host-log.ts';
export { type CarriedPlan, type HostOptions, type MadeHost, makeHost } from './make-host.ts';
