import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Plane, serveTo } from '#e2e/controlplane/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import type { OwnerUids } from '#lib/plan/index.ts';
import { resources, v3Uid } from '#lib/spec/index.ts';
import { eventually } from './eventually.ts';

const group = 'projectcalico.org';
const host = 'calico-api.test';
const stored = resources.calicoNetworkPolicies;

/** A small `projectcalico.org/v3`: network policies as they are stored, and the profiles of namespaces, with the UIDs of a release before v3.28 or of a later one (calico.md §12). */
export type CalicoApi = { serve(uids: OwnerUids): void; stop(): void };

const failure = (code: number, reason: string) =>
  [code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code }] as const;

export async function startCalicoApi(plane: Plane, kube: Kube): Promise<CalicoApi> {
  let serving: OwnerUids = 'stored';
  const read = (name: string) => readFileSync(join(plane.dir, 'pki', name));
  const server = createServer(
    { key: read('apiserver.key'), cert: read('apiserver.crt') },
    async (request, response) => {
      // A "not found" while the store restarts would make the garbage collector delete dependents.
      const [code, answer] = await answerTo(new URL(request.url ?? '/', 'https://x').pathname).then(
        (found) => (found === null ? failure(404, 'NotFound') : ([200, found] as const)),
        () => failure(503, 'ServiceUnavailable'),
      );
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    },
  );
  const shown = (object: KubeObject, kind: string): KubeObject => ({
    ...object,
    kind,
    apiVersion: `${group}/v3`,
    metadata: {
      ...object.metadata,
      uid: serving === 'stored' ? (object.metadata.uid ?? '') : (v3Uid(object.metadata.uid ?? '') ?? ''),
    },
  });
  async function answerTo(path: string): Promise<unknown> {
    const version = { groupVersion: `${group}/v3`, version: 'v3' };
    const aGroup = { name: group, versions: [version], preferredVersion: version };
    if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: [aGroup] };
    if (path === `/apis/${group}`) return { kind: 'APIGroup', apiVersion: 'v1', ...aGroup };
    if (path === `/apis/${group}/v3`) {
      const both = [stored, { plural: 'profiles', kind: 'Profile', namespaced: false }].map(
        ({ plural: name, kind, namespaced }) => ({ name, singularName: '', namespaced, kind, verbs: ['get', 'list'] }),
      );
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v3`, resources: both };
    }
    const ofNamespace = /\/profiles\/kns\.([^/]+)$/.exec(path)?.[1];
    if (ofNamespace !== undefined) {
      const found = await kube.get({ resource: resources.namespaces, name: ofNamespace });
      return found && shown({ ...found, metadata: { ...found.metadata, name: `kns.${ofNamespace}` } }, 'Profile');
    }
    const [, namespace, name] = /\/namespaces\/([^/]+)\/networkpolicies\/([^/]+)$/.exec(path) ?? [];
    if (namespace === undefined || name === undefined) return null;
    const found = await kube.get({ resource: stored, namespace, name });
    return found && shown(found, stored.kind);
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  serveTo(plane.dir, `${host}:443`, (server.address() as AddressInfo).port);
  await plane.api.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'calico-api', namespace: 'kube-system' },
    spec: { type: 'ExternalName', externalName: host, ports: [{ port: 443 }] },
  });
  await plane.api.apply({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v3.${group}` },
    spec: {
      group,
      version: 'v3',
      groupPriorityMinimum: 1500,
      versionPriority: 200,
      insecureSkipTLSVerify: true,
      service: { name: 'calico-api', namespace: 'kube-system', port: 443 },
    },
  });
  const isAvailable = async () => {
    const { status } = await plane.api.get(`/apis/apiregistration.k8s.io/v1/apiservices/v3.${group}`);
    const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
    return conditions.some((one) => one.type === 'Available' && one.status === 'True');
  };
  await eventually("Calico's own API to be available", isAvailable);
  return {
    serve: (uids) => {
      serving = uids;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
