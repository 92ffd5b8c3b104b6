export { gate } from './gate.ts';
export { peerOwners } from './peer-owners.ts';
export { type WhoMayConnect, whoMayConnect } from './who-may-connect.ts';
