export { withCalicoOfEtcd } from './calico-of-etcd.ts';
export type { EtcdAccess } from './etcd.ts';
