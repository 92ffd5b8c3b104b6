import { z } from 'zod';
import { KubeError } from '../error.ts';
import type { Kube } from '../port.ts';
import { reviewAccess } from './access-review.ts';
import type { Connection } from './connection.ts';
import { discover } from './discover.ts';
import { listPages } from './list.ts';
import { podExec } from './pods/exec.ts';
import { podLogs, podProxyGet } from './pods/log-and-proxy.ts';
import { portForward } from './pods/port-forward.ts';
import { probe } from './probing/probe.ts';
import { watchResource } from './watch.ts';
import { applyObject, createObject, deleteObject, getObject, patchObject, replaceObject } from './write.ts';

const versionSchema = z.object({ gitVersion: z.string() });

/** The port to a real API server: each method calls the function of its file. */
export function liveKube(connection: Connection): Kube {
  return {
    name: connection.access.name,
    source: 'live',

    get: (ref, options = {}) => getObject(connection, ref, options),
    list: (resource, options = {}) => listPages(connection, resource, options, 'objects'),
    listMetadata: (resource, options = {}) => listPages(connection, resource, options, 'metadata'),
    watch: (resource, options = {}) => watchResource(connection, resource, options),

    create: (resource, object, options = {}) => createObject(connection, resource, object, options),
    apply: (resource, object, options = {}) => applyObject(connection, resource, object, options),
    replace: (resource, object, options = {}) => replaceObject(connection, resource, object, options),
    patch: (ref, patch, options = {}) => patchObject(connection, ref, patch, options),
    delete: (ref, options = {}) => deleteObject(connection, ref, options),

    allowed: (rules, options = {}) => reviewAccess(connection, rules, options),
    discover: (options = {}) => discover(connection, options),
    async version({ signal, timeoutMs } = {}) {
      const answer = await connection.json({ method: 'GET', path: '/version', rule: null, signal, timeoutMs });
      const parsed = versionSchema.safeParse(answer);
      if (!parsed.success) throw new KubeError('protocol', "The API server's answer to /version cannot be read.");
      return parsed.data.gitVersion;
    },

    logs: (pod, options) => podLogs(connection, pod, options),
    podGet: (pod, options = {}) => podProxyGet(connection, pod, options),
    exec: (pod, command, options = {}) => podExec(connection, pod, command, options),

    portForward: (pod, options = {}) => portForward(connection, pod, options),

    probeEndpoint: (endpoint, options = {}) => probe(connection, endpoint, options),

    close: () => connection.close(),
  };
}
