/**
 * `node upgrade.ts <nodes> <kubeconfig>`, forked: a big cluster at v3.30.7 whose operator and nodes do what they are told: nodes change their release at
 * their own pace, a twentieth of them at a time, and however few they are, for longer than what is measured meanwhile. It tells when it listens.
 */
import type { KubeObject } from '#lib/kube/index.ts';
import { normalTimings, openSandbox, serveStore } from '#lib/sandbox/index.ts';
import type { Reply } from './api.ts';
import { emulatedObjects } from './cluster.ts';

const [, , nodes = '5000', kubeconfig = ''] = process.argv;
const release = 'v3.30.7';
const movesForMs = 180_000;
const atOnce = { nodeUpdateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '5%' } } };
/** Until a new agent is ready: each node has its own place in it, so that they arrive one by one. */
const readyMs = [movesForMs / 40, (movesForMs * 3) / 40] as const;
const ofInstallation = (object: KubeObject): KubeObject =>
  object.kind === 'Installation' ? { ...object, spec: { ...Object(object.spec), ...atOnce } } : object;

const objects = emulatedObjects(Number(nodes), Date.now(), { calico: release }).map(ofInstallation);
const timings = { ...normalTimings, readyMs };
const { store } = await openSandbox('standard', { speed: 'normal', operator: release, objects, timings });
process.on('disconnect', () => process.exit());
await serveStore(store, { name: 'emulated', kubeconfig });
const told: Reply = { kind: 'listening', objects: objects.length };
process.send?.(told);
